// Creates the self-signed certificate at the first start, when the server's names change, and before it expires.
import { type Certificate, makeSelfSigned } from '../../lib/tls/index.js';
import { renewalReason } from './certificate-renewal.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { WholeFiles } from '../../lib/files/index.js';
import { StoredCertificate } from './stored-certificate.js';

const RENEW_BEFORE_MS = 90 * 24 * 3_600_000;
const SELF_SIGNED = 'self';
export const SELF_SIGNED_FILE = 'self-signed.pem';

export class SelfSigned {
  readonly #names: readonly string[];
  readonly #clock: Clock;
  readonly #mayRenew: () => boolean;
  readonly #stored: StoredCertificate;

  constructor({
    files,
    names,
    clock,
    mayRenew,
  }: {
    files: WholeFiles;
    names: readonly string[];
    clock: Clock;
    mayRenew: () => boolean;
  }) {
    this.#names = names;
    this.#clock = clock;
    this.#mayRenew = mayRenew;
    this.#stored = new StoredCertificate(files, SELF_SIGNED_FILE, 'self-signed');
  }

  /**
   * Returns the stored certificate. Makes another one if it is missing, damaged, for other names or close to its end. A node that
   * may not renew uses the stored one.
   */
  async get(): Promise<Certificate> {
    const held = await this.#stored.read();
    const now = this.#clock();
    const where = { heldFrom: null, from: SELF_SIGNED, renewBeforeMs: RENEW_BEFORE_MS };
    const reason = renewalReason({ held, names: this.#names, now, ...where });
    if (held !== null && (reason === null || !this.#mayRenew())) return held;
    const pair = await makeSelfSigned(this.#names, now);
    // `create` would keep a damaged file.
    if (reason !== 'first') return this.#stored.replace(pair);
    return this.#stored.create(pair).catch(() => this.#stored.replace(pair));
  }
}
