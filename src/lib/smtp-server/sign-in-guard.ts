// Locks out clients that failed to sign in too often (RFC 4954 section 9): by client address and by user name. Its memory is
// bounded, and each call costs the same.
import { type Clock, createLruCache } from '../runtime/index.js';
import {
  afterFailure,
  clientKeys,
  type Failures,
  isLockedOut,
  type LockoutTerms,
} from '../rate-limits/index.js';

const MAX_REMEMBERED = 20_000;
const MAX_NAME_CHARS = 128;
/** A name may fail so many times as often as an address: against many addresses that guess at one name together. */
const NAME_FACTOR = 10;
/** Anybody can fail under somebody's name: where that name has signed in lately, its lock-out does not hold. */
const KNOWN_ADDRESS_MS = 7 * 24 * 3_600_000;

export interface SignInGuard {
  isLockedOut(ip: string, user: string): boolean;
  /** True when that locks its address out. */
  failed(ip: string, user: string): boolean;
  /** Its address starts from zero. */
  succeeded(ip: string, user: string): void;
}

/** `terms` are those of an address; a name has ten times as many failures. */
export function createSignInGuard({ terms, clock }: { terms: LockoutTerms; clock: Clock }): SignInGuard {
  const byAddress = createLruCache<string, Failures>(MAX_REMEMBERED);
  const byName = createLruCache<string, Failures>(MAX_REMEMBERED);
  const knownPlaces = createLruCache<string, number>(MAX_REMEMBERED);
  const nameTerms = { ...terms, failures: terms.failures * NAME_FACTOR };

  const nameOf = (user: string): string => user.slice(0, MAX_NAME_CHARS).toLowerCase();
  const addressOf = (ip: string): string => clientKeys(ip).address;

  function isKnownPlace(address: string, name: string, now: number): boolean {
    const since = knownPlaces.get(`${address} ${name}`);
    return since !== undefined && now - since < KNOWN_ADDRESS_MS;
  }

  return {
    isLockedOut(ip, user) {
      const [address, name, now] = [addressOf(ip), nameOf(user), clock()];
      const isAddressOut = isLockedOut(byAddress.get(address), terms, now);
      const isNameOut = isLockedOut(byName.get(name), nameTerms, now);
      return isAddressOut || (isNameOut && !isKnownPlace(address, name, now));
    },
    failed(ip, user) {
      const [address, name, now] = [addressOf(ip), nameOf(user), clock()];
      const failures = afterFailure(byAddress.get(address), terms, now);
      byAddress.set(address, failures);
      byName.set(name, afterFailure(byName.get(name), nameTerms, now));
      return isLockedOut(failures, terms, now);
    },
    succeeded(ip, user) {
      const address = addressOf(ip);
      byAddress.delete(address);
      knownPlaces.set(`${address} ${nameOf(user)}`, clock());
    },
  };
}
