// Admits clients: counts their sessions, messages and memory against per-client limits. Listeners that share
// an admission share its limits. Rates are kept in a bounded table that forgets the oldest clients.
import { type Clock, createLruCache } from '../runtime/index.js';
import { allowedAddressTest, canonicalAddress } from '../addresses/index.js';
import {
  afterTaking,
  clientKeys,
  type ClientKeys,
  clientRates,
  hasRate,
  memoryLimits,
  type Rated,
  type RateSettings,
  type RateUse,
  type SessionLimits,
  type SessionRefusal,
} from '../rate-limits/index.js';
import { createSessionPlaces, type Seat } from './session-places.js';

const MAX_REMEMBERED = 50_000;

export interface AdmissionLimits extends RateSettings {
  sessions: SessionLimits;
  /** Octets of messages being received that may be held at the same time. */
  memoryOctets: number;
  /** The largest message that a listener with this admission accepts. */
  largestMessage: number;
  /** Addresses and ranges to which only the totals apply. */
  unlimitedClients: readonly string[];
}

export type MessageRefusal = 'message_rate' | 'octet_rate' | 'memory';

interface AdmissionCounts {
  sessions: number;
  unsigned: number;
  heldOctets: number;
  /** Sessions closed for others since the start. */
  gaveWay: number;
  /** Refusals since the start, by limit. */
  refused: Readonly<Partial<Record<SessionRefusal | MessageRefusal, number>>>;
}

export interface ClientAdmission {
  /**
   * Admits a client. Calls `giveWay` when the session must end for another; its place is already free by
   * then.
   */
  enter(ip: string, giveWay: () => void): { visit: Visit } | { refusal: SessionRefusal };
  counts(): AdmissionCounts;
}

export function createClientAdmission({
  limits,
  clock,
}: {
  limits: AdmissionLimits;
  clock: Clock;
}): ClientAdmission {
  const isUnlimitedClient = allowedAddressTest(limits.unlimitedClients);
  const places = createSessionPlaces({ limits: limits.sessions, clock });
  const rates = createRates(limits, clock);
  const memory = createMemory(limits);
  const refused: Partial<Record<SessionRefusal | MessageRefusal, number>> = {};

  function refuse<R extends SessionRefusal | MessageRefusal>(reason: R): R {
    refused[reason] = (refused[reason] ?? 0) + 1;
    return reason;
  }

  function clientRefusal(keys: ClientKeys): SessionRefusal | null {
    const reason = places.shareRefusal(keys);
    if (reason !== null) return reason;
    const exceeded = rates.exceeded(keys, 'sessions');
    return exceeded === null ? null : `${exceeded}_rate`;
  }

  return {
    enter(ip, giveWay) {
      const keys = clientKeys(ip);
      const isUnlimited = isUnlimitedClient(ip);
      const reason = (isUnlimited ? null : clientRefusal(keys)) ?? places.roomRefusal(keys);
      if (reason !== null) return { refusal: refuse(reason) };
      if (!isUnlimited) rates.take(keys, 'sessions', 1);
      const address = canonicalAddress(ip.replace(/%.*$/, ''));
      const seat = places.take(keys, { isUnlimited, giveWay });
      return { visit: new Visit({ address, seat, keys, isUnlimited, rates, memory, refuse }) };
    },
    counts: () => ({ ...places.counts(), heldOctets: memory.heldOctets(), refused: { ...refused } }),
  };
}

interface VisitOptions {
  address: string;
  seat: Seat;
  keys: ClientKeys;
  isUnlimited: boolean;
  rates: ReturnType<typeof createRates>;
  memory: ReturnType<typeof createMemory>;
  /** Counts a refusal and returns it. */
  refuse: (reason: MessageRefusal) => MessageRefusal;
}

/** One session, from its accepted socket to its end. */
export class Visit {
  readonly address: string;
  /**
   * Memory stays counted after the session has left until it is released, because a message can outlive its
   * session.
   */
  readonly seat: Seat;
  readonly #options: VisitOptions;
  #heldOctets = 0;

  constructor(options: VisitOptions) {
    this.address = options.address;
    this.seat = options.seat;
    this.#options = options;
  }

  /** Returns the limit that forbids a message now, given its declared octets, or `null`. */
  messageRefusal(declaredOctets: number): MessageRefusal | null {
    const { refuse } = this.#options;
    if (!this.#isWithinRate('messages')) return refuse('message_rate');
    if (!this.#isWithinRate('octets')) return refuse('octet_rate');
    return this.#hasMemory(declaredOctets) ? null : refuse('memory');
  }

  /** Counts a message, regardless of its outcome. */
  countMessage(): void {
    this.#take('messages', 1);
  }

  countOctets(octets: number): void {
    this.#take('octets', octets);
  }

  /** Reserves memory. On false, nothing has changed. */
  hold(octets: number): boolean {
    if (!this.seat.isTaken) return false;
    if (!this.#hasMemory(octets)) {
      this.#options.refuse('memory');
      return false;
    }
    this.#changeMemory(octets);
    return true;
  }

  release(octets: number): void {
    this.#changeMemory(-Math.min(octets, this.#heldOctets));
  }

  #isWithinRate(what: Rated): boolean {
    const { isUnlimited, rates, keys } = this.#options;
    return isUnlimited || rates.exceeded(keys, what) === null;
  }

  #take(what: Rated, amount: number): void {
    const { isUnlimited, rates, keys } = this.#options;
    if (!isUnlimited) rates.take(keys, what, amount);
  }

  #hasMemory(octets: number): boolean {
    const { isUnlimited, memory, keys } = this.#options;
    return memory.hasRoom(octets, isUnlimited ? null : keys);
  }

  #changeMemory(octets: number): void {
    this.#heldOctets += octets;
    this.#options.memory.change(octets, this.#options.keys);
  }
}

/** Tracks the rates of clients and of their networks. */
function createRates(settings: RateSettings, clock: Clock) {
  const limits = { address: clientRates(settings, 'address'), network: clientRates(settings, 'network') };
  const used = createLruCache<string, RateUse>(MAX_REMEMBERED);
  const scopes = ['address', 'network'] as const;
  return {
    /** Returns whose rate is used up, or `null`. */
    exceeded(keys: ClientKeys, what: Rated): 'address' | 'network' | null {
      return scopes.find((scope) => !hasRate(limits[scope], used.get(keys[scope]), what, clock())) ?? null;
    },
    take(keys: ClientKeys, what: Rated, amount: number): void {
      for (const scope of scopes) {
        const use = used.get(keys[scope]) ?? {};
        used.set(keys[scope], afterTaking(limits[scope], use, { what, amount, now: clock() }));
      }
    },
  };
}

/** Tracks the memory for messages being received, in total and by client. */
function createMemory({ memoryOctets, largestMessage }: AdmissionLimits) {
  const limits = memoryLimits(memoryOctets, largestMessage);
  const held = new Map<string, number>();
  let heldOctets = 0;
  const addressKey = ({ address }: ClientKeys): string => `address ${address}`;
  const networkKey = ({ network }: ClientKeys): string => `network ${network}`;
  const heldBy = (key: string): number => held.get(key) ?? 0;
  return {
    heldOctets: () => heldOctets,
    /** Returns whether more octets fit. For `null`, only the total counts. */
    hasRoom(octets: number, keys: ClientKeys | null): boolean {
      if (heldOctets + octets > limits.total) return false;
      if (keys === null) return true;
      return (
        heldBy(addressKey(keys)) + octets <= limits.perAddress &&
        heldBy(networkKey(keys)) + octets <= limits.perNetwork
      );
    },
    change(octets: number, keys: ClientKeys): void {
      heldOctets += octets;
      for (const key of [addressKey(keys), networkKey(keys)]) {
        const now = heldBy(key) + octets;
        if (now === 0) held.delete(key);
        else held.set(key, now);
      }
    },
  };
}
