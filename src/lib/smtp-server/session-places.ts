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

/** Counts by key, and forgets keys whose count is 0. */
class KeyCounts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(by: 1 | -1, keys: readonly string[]): void {
    for (const key of keys) {
      const count = this.of(key) + by;
      if (count === 0) this.#counts.delete(key);
      else this.#counts.set(key, count);
    }
  }
}

interface SeatOptions {
  keys: ClientKeys;
  perAccount: number;
  clock: Clock;
  counts: KeyCounts;
  left: (seat: Seat) => void;
  giveWay: () => void;
}

/** The place of one session. */
export class Seat implements UnsignedSession {
  readonly #options: SeatOptions;
  readonly #clientKeys: readonly string[];
  #statusKeys: readonly string[];
  #isTaken = true;
  #isSignedIn = false;
  #isWorking = false;
  #progressedAt: number;

  constructor(options: SeatOptions) {
    const { keys, clock, counts } = options;
    const { address, network } = keys;
    this.#options = options;
    this.#clientKeys = ['all', `address ${address}`, `network ${network}`];
    this.#statusKeys = ['unsigned', `unsigned ${network}`];
    this.#progressedAt = clock();
    counts.add(1, [...this.#clientKeys, ...this.#statusKeys]);
  }

  get isTaken(): boolean {
    return this.#isTaken;
  }

  get isSignedIn(): boolean {
    return this.#isSignedIn;
  }

  get isWorking(): boolean {
    return this.#isWorking;
  }

  get progressedAt(): number {
    return this.#progressedAt;
  }

  get ofNetwork(): number {
    const { counts, keys } = this.#options;
    return counts.of(`unsigned ${keys.network}`);
  }

  /** Moves the session to this account; returns false if the account has no place left. */
  signIn(account: string): boolean {
    const { counts, perAccount } = this.#options;
    const key = `account ${account}`;
    if (!this.#isTaken || counts.of(key) >= perAccount) return false;
    counts.add(-1, this.#statusKeys);
    this.#statusKeys = [key];
    counts.add(1, this.#statusKeys);
    this.#isSignedIn = true;
    return true;
  }

  /** Records progress. Sessions without progress give way first. */
  progressed(): void {
    this.#progressedAt = this.#options.clock();
  }

  /** Protects the session from giving way while the server works on its message. */
  setWorking(isWorking: boolean): void {
    this.#isWorking = isWorking;
  }

  /** Frees the place. May be called again. */
  leave(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#options.left(this);
    this.#options.counts.add(-1, [...this.#clientKeys, ...this.#statusKeys]);
  }

  /** Frees the place and ends the session for another one. */
  giveWay(): void {
    this.leave();
    this.#options.giveWay();
  }
}

export function createSessionPlaces({ limits, clock }: { limits: SessionLimits; clock: Clock }) {
  const counts = new KeyCounts();
  /** Sessions that may have to give way. */
  const sitting = new Set<Seat>();
  let gaveWay = 0;

  function dismiss(seat: Seat): void {
    gaveWay += 1;
    seat.giveWay();
  }

  function dismissOneFor(network: string, patienceMs: number): boolean {
    const unsigned = [...sitting].filter(({ isSignedIn, isWorking }) => !isSignedIn && !isWorking);
    const ofNetwork = counts.of(`unsigned ${network}`);
    const seat = sessionToGiveWay(unsigned, { ofNetwork, now: clock(), patienceMs });
    if (seat !== null) dismiss(seat);
    return seat !== null;
  }

  return {
    /** Returns the limit that the client's address or network has reached, or `null`. */
    shareRefusal({ address, network }: ClientKeys): SessionRefusal | null {
      if (counts.of(`address ${address}`) >= limits.perAddress) return 'address_taken';
      return counts.of(`network ${network}`) >= limits.perNetwork ? 'network_taken' : null;
    },
    /**
     * Makes room for one more session, if necessary by closing sessions without progress. Returns a refusal
     * if that fails.
     */
    roomRefusal({ network }: ClientKeys): SessionRefusal | null {
      const { total, unsigned, scarceIdleMs } = limits;
      if (arePlacesScarce({ total: counts.of('all'), unsigned: counts.of('unsigned') }, limits)) {
        const since = clock() - scarceIdleMs;
        for (const seat of sitting) if (!seat.isWorking && seat.progressedAt <= since) dismiss(seat);
      }
      if (unsigned !== null && counts.of('unsigned') >= unsigned && !dismissOneFor(network, 0)) {
        return 'unsigned_taken';
      }
      if (counts.of('all') < total) return null;
      return dismissOneFor(network, unsigned === null ? PATIENCE_MS : 0) ? null : 'all_taken';
    },
    /**
     * Takes a place. `giveWay` is called when the session must end for another; its place is already free by
     * then.
     */
    take(keys: ClientKeys, { isUnlimited, giveWay }: { isUnlimited: boolean; giveWay: () => void }): Seat {
      const left = (seat: Seat): void => void sitting.delete(seat);
      const seat = new Seat({ keys, perAccount: limits.perAccount, clock, counts, left, giveWay });
      if (!isUnlimited) sitting.add(seat);
      return seat;
    },
    counts: () => ({ sessions: counts.of('all'), unsigned: counts.of('unsigned'), gaveWay }),
  };
}
