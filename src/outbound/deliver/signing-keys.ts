// Finds the keys that sign a message: those of its From domain (the sub-tenant's or a sender's) and the platform's.
import { isUnavailable } from '../../contract/refusal.js';
import { createPrivateKey } from 'node:crypto';
import { type Clock, createLruCache } from '../../lib/runtime/index.js';
import { addressDomain } from '../../lib/mime/index.js';
import type { DkimSigner } from '../../lib/dkim/index.js';
import { dkimKeyContext, openSecret } from '../../lib/secrets/index.js';
import { readTrace } from '../../messages/inboxes/forwards.tables.js';
import type { Deliverable } from '../../messages/deliverables.store.js';
import { PLATFORM_OWNER } from '../../domains/domains.store.js';
import type { KeyGeneration } from '../../domains/keys/key-generation.js';
import type { DkimKey } from '../../domains/domains.tables.js';
import type { OutboundStores } from '../stores.js';

/** Longest time (ms) until a changed key is used. A new key generation takes effect immediately. */
const CACHE_MS = 15_000;
const CACHE_SIZE = 5_000;

type SignersAnswer = { kind: 'signers'; signers: DkimSigner[] } | { kind: 'unsigned'; message: string };

export class SigningKeys {
  readonly #store: Pick<OutboundStores, 'domains'>;
  readonly #masterKey: Buffer;
  readonly #generation: Pick<KeyGeneration, 'current'> | undefined;
  readonly #answers: ReturnType<typeof createLruCache<string, Promise<SignersAnswer>>>;
  /** Keys that were decrypted, which costs more than a signature. They are kept longer than the answers. */
  readonly #opened = createLruCache<string, DkimSigner>(CACHE_SIZE);
  #seenVersion = 0;

  constructor(
    store: Pick<OutboundStores, 'domains'>,
    masterKey: Buffer,
    clock: Clock,
    generation?: Pick<KeyGeneration, 'current'>,
  ) {
    this.#store = store;
    this.#masterKey = masterKey;
    this.#generation = generation;
    this.#answers = createLruCache(CACHE_SIZE, { ttl: CACHE_MS, perf: { now: clock } });
  }

  /** Finds the signers of a message. Returns `unsigned` with the reason if there are none, and then the message must be held. */
  async signersFor(deliverable: Deliverable): Promise<SignersAnswer> {
    const { message, workspaceId } = deliverable;
    const fromDomain = signingDomain(message);
    this.#forgetMoved();
    const id = `${workspaceId}/${message.sub_tenant_id ?? ''}/${fromDomain}`;
    let answer = this.#answers.get(id);
    if (!answer) {
      answer = this.#find(deliverable, fromDomain, ({ state }) => state === 'active');
      this.#answers.set(id, answer);
    }
    try {
      const found = await answer;
      // A missing key is not cached, so that messages can be signed as soon as it exists.
      if (found.kind === 'unsigned') this.#answers.delete(id);
      return found;
    } catch (error) {
      this.#answers.delete(id);
      return unsigned(error);
    }
  }

  /** Finds the keys that signed a message at `signedAt` (Unix seconds) and whose private keys still exist. */
  async signersOf(deliverable: Deliverable, signedAt: number): Promise<SignersAnswer> {
    const fromDomain = signingDomain(deliverable.message);
    try {
      return await this.#find(deliverable, fromDomain, (key) => signedThen(key, signedAt));
    } catch (error) {
      return unsigned(error);
    }
  }

  #forgetMoved(): void {
    const current = this.#generation?.current() ?? 0;
    if (current === this.#seenVersion) return;
    this.#seenVersion = current;
    this.#answers.clear();
    // Destroyed keys must not stay in memory.
    this.#opened.clear();
  }

  #open(key: DkimKey): DkimSigner {
    let signer = this.#opened.get(key.id);
    if (!signer) {
      const der = openSecret(this.#masterKey, key.private_key_sealed, dkimKeyContext(key.id));
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      signer = { domain: key.domain, selector: key.selector, algorithm: key.algorithm, privateKey };
      this.#opened.set(key.id, signer);
    }
    return signer;
  }

  async #readOwners(deliverable: Deliverable, fromDomain: string): Promise<string[]> {
    const { tenant, message, workspaceId } = deliverable;
    if (tenant && message.sub_tenant_id !== null && isWithin(fromDomain, tenant.sending_domain)) {
      return [message.sub_tenant_id];
    }
    const scope = { workspaceId, subTenantId: message.sub_tenant_id };
    const senders = await this.#store.domains.verifiedSenders(scope);
    return senders
      .filter((sender) => sender.kind === 'domain' && isWithin(fromDomain, sender.identity))
      .map((sender) => sender.id);
  }

  async #find(
    deliverable: Deliverable,
    fromDomain: string,
    signs: (key: DkimKey) => boolean,
  ): Promise<SignersAnswer> {
    const owners = await this.#readOwners(deliverable, fromDomain);
    const keys = await this.#store.domains.dkimKeys([...owners, PLATFORM_OWNER]);
    const isPlatforms = (key: DkimKey): boolean => key.owner_id === PLATFORM_OWNER;
    const ofDomain = signersAmong(
      keys.filter((key) => !isPlatforms(key)),
      signs,
    );
    // If a domain and its parent both have keys, only the longer domain signs.
    const longest = Math.max(0, ...ofDomain.map((key) => key.domain.length));
    const chosen = [
      ...ofDomain.filter((key) => key.domain.length === longest),
      ...signersAmong(keys.filter(isPlatforms), signs),
    ];
    if (chosen.length > 0 && (ofDomain.length > 0 || owners.length === 0)) {
      return { kind: 'signers', signers: chosen.map((key) => this.#open(key)) };
    }
    return { kind: 'unsigned', message: `There is no active DKIM key for ${fromDomain}.` };
  }
}

/** The inbox's domain seals a forwarded message, because its author's domain is another's. */
function signingDomain({ from_email: from, forward }: Deliverable['message']): string {
  return addressDomain(readTrace(forward)?.address ?? from);
}

/** Rethrows the error if the store is unavailable, because the keys may exist. */
function unsigned(error: unknown): SignersAnswer {
  if (isUnavailable(error)) throw error;
  return { kind: 'unsigned', message: error instanceof Error ? error.message : String(error) };
}

/** An Ed25519 key signs in addition to an RSA key and does not replace it, because many verifiers only support RSA. */
function signersAmong(keys: readonly DkimKey[], signs: (key: DkimKey) => boolean): DkimKey[] {
  const isRsa = (key: DkimKey): boolean => key.algorithm === 'rsa-sha256';
  const signing = keys.filter(signs);
  return signing.filter(
    (key) =>
      isRsa(key) ||
      signing.some((other) => isRsa(other) && other.domain === key.domain) ||
      !keys.some((other) => isRsa(other) && other.domain === key.domain),
  );
}

function signedThen({ state, activated_at, retiring_at, private_key_sealed }: DkimKey, at: number): boolean {
  if (private_key_sealed === '' || (state !== 'active' && state !== 'retiring')) return false;
  const second = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms / 1000));
  return at >= (second(activated_at) ?? 0) && at < (second(retiring_at) ?? Infinity);
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}
