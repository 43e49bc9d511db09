// Locks out clients after too many failed sign-ins (RFC 4954 section 9), by client address and by user name.
// Its memory is bounded, and each call costs the same.
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
/**
 * A name may fail this many times as often as an address. The limit stops many addresses that guess the same
 * name.
 */
const NAME_FACTOR = 10;
/**
 * Anyone can fail under another's name, so a name's lock-out does not apply to addresses where it signed in
 * recently.
 */
const KNOWN_ADDRESS_MS = 7 * 24 * 3_600_000;

export interface SignInGuard {
  isLockedOut(ip: string, user: string): boolean;
  /** Records a failure and returns true if it locks the address out. */
  failed(ip: string, user: string): boolean;
  /** Resets the failures of the address. */
  succeeded(ip: string, user: string): void;
}

/** Creates a guard. `terms` apply to an address; a name may fail ten times as often. */
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
