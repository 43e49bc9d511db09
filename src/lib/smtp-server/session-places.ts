// Keeps the places of SMTP sessions: counts them by address, network and account, and decides which session
// is closed for another when places run short.
import type { Clock } from '../runtime/index.js';
import {
  arePlacesScarce,
  type ClientKeys,
  type SessionLimits,
  type SessionRefusal,
  sessionToGiveWay,
  type UnsignedSession,
} from '../rate-limits/index.js';

/** Grace period (ms) after its last progress in which a client that need not sign in keeps its place. */
const PATIENCE_MS = 1_000;

/** The place of one session. */
export interface Seat {
  readonly isTaken: boolean;
  readonly isSignedIn: boolean;
  /** Moves the session to this account; returns false if the account has no place left. */
  signIn(account: string): boolean;
  /** Records progress. Sessions without progress give way first. */
  progressed(): void;
  /** Protects the session from giving way while the server works on its message. */
  setWorking(isWorking: boolean): void;
  /** Frees the place. May be called again. */
  leave(): void;
}

interface Sitting extends UnsignedSession {
  isSignedIn: boolean;
  isWorking: boolean;
  leave(): void;
  giveWay(): void;
}

export function createSessionPlaces({ limits, clock }: { limits: SessionLimits; clock: Clock }) {
  const counts = new Map<string, number>();
  /** Sessions that may have to give way. */
  const sitting = new Set<Sitting>();
  let gaveWay = 0;

  const countOf = (key: string): number => counts.get(key) ?? 0;

  function add(by: 1 | -1, ...keys: string[]): void {
    for (const key of keys) {
      const count = countOf(key) + by;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    }
  }

  function dismiss(one: Sitting): void {
    gaveWay += 1;
    one.leave();
    one.giveWay();
  }

  function dismissOneFor(network: string, patienceMs: number): boolean {
    const unsigned = [...sitting].filter(({ isSignedIn, isWorking }) => !isSignedIn && !isWorking);
    const ofNetwork = countOf(`unsigned ${network}`);
    const one = sessionToGiveWay(unsigned, { ofNetwork, now: clock(), patienceMs });
    if (one !== null) dismiss(one);
    return one !== null;
  }

  return {
    /** Returns the limit that the client's address or network has reached, or `null`. */
    shareRefusal({ address, network }: ClientKeys): SessionRefusal | null {
      if (countOf(`address ${address}`) >= limits.perAddress) return 'address_taken';
      return countOf(`network ${network}`) >= limits.perNetwork ? 'network_taken' : null;
    },

    /**
     * Makes room for one more session, if necessary by closing sessions without progress. Returns a refusal
     * if that fails.
     */
    roomRefusal({ network }: ClientKeys): SessionRefusal | null {
      const { total, unsigned, scarceIdleMs } = limits;
      if (arePlacesScarce({ total: countOf('all'), unsigned: countOf('unsigned') }, limits)) {
        const since = clock() - scarceIdleMs;
        for (const one of sitting) if (!one.isWorking && one.progressedAt <= since) dismiss(one);
      }
      if (unsigned !== null && countOf('unsigned') >= unsigned && !dismissOneFor(network, 0)) {
        return 'unsigned_taken';
      }
      if (countOf('all') < total) return null;
      return dismissOneFor(network, unsigned === null ? PATIENCE_MS : 0) ? null : 'all_taken';
    },

    /**
     * Takes a place. `giveWay` is called when the session must end for another; its place is already free by
     * then.
     */
    take(
      { address, network }: ClientKeys,
      { isUnlimited, giveWay }: { isUnlimited: boolean; giveWay: () => void },
    ): Seat {
      const own = ['all', `address ${address}`, `network ${network}`];
      let statusKeys = ['unsigned', `unsigned ${network}`];
      let isTaken = true;
      const one: Sitting = {
        get ofNetwork() {
          return countOf(`unsigned ${network}`);
        },
        isSignedIn: false,
        isWorking: false,
        progressedAt: clock(),
        leave() {
          if (!isTaken) return;
          isTaken = false;
          sitting.delete(one);
          add(-1, ...own, ...statusKeys);
        },
        giveWay,
      };
      add(1, ...own, ...statusKeys);
      if (!isUnlimited) sitting.add(one);
      return {
        get isTaken() {
          return isTaken;
        },
        get isSignedIn() {
          return one.isSignedIn;
        },
        signIn(account) {
          const key = `account ${account}`;
          if (!isTaken || countOf(key) >= limits.perAccount) return false;
          add(-1, ...statusKeys);
          statusKeys = [key];
          add(1, key);
          one.isSignedIn = true;
          return true;
        },
        progressed: () => void (one.progressedAt = clock()),
        setWorking: (isWorking) => void (one.isWorking = isWorking),
        leave: () => one.leave(),
      };
    },

    counts: () => ({ sessions: countOf('all'), unsigned: countOf('unsigned'), gaveWay }),
  };
}
