// The certificate that we make ourselves: at the first start, when our names change, and before it ends.
import type { Certificate } from '../../lib/tls/certificate.js';
import { makeSelfSigned } from '../../lib/tls/self-signed.js';
import { renewalReason } from './certificate-renewal.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { WholeFiles } from '../../lib/runtime/stored-files.js';
import { createStoredCertificate } from './stored-certificate.js';

const RENEW_BEFORE_MS = 90 * 24 * 3_600_000;
const OURSELVES = 'self';
/** Among the files of certificates. */
export const SELF_SIGNED_FILE = 'self-signed.pem';

export interface SelfSigned {
  /**
   * The one that is kept, made anew when it is missing, damaged, for other names or near its end. A node that may not renew takes
   * the one that is there.
   */
  get(): Promise<Certificate>;
}

export function createSelfSigned(deps: {
  files: WholeFiles;
  names: readonly string[];
  clock: Clock;
  mayRenew: () => boolean;
}): SelfSigned {
  const { names, clock, mayRenew } = deps;
  const kept = createStoredCertificate(deps.files, SELF_SIGNED_FILE, 'self-signed');
  return {
    async get() {
      const held = await kept.read();
      const now = clock();
      const where = { heldFrom: null, from: OURSELVES, renewBeforeMs: RENEW_BEFORE_MS };
      const reason = renewalReason({ held, names, now, ...where });
      if (held !== null && (reason === null || !mayRenew())) return held;
      const pair = await makeSelfSigned(names, now);
      // A damaged file is in the way of `create`.
      if (reason !== 'first') return kept.replace(pair);
      return kept.create(pair).catch(() => kept.replace(pair));
    },
  };
}
