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

/** One session, from its accepted socket to its end. */
export interface Visit {
  readonly address: string;
  /**
   * Memory stays counted after the session has left until it is released, because a message can outlive its
   * session.
   */
  readonly seat: Seat;
  /** Returns the limit that forbids a message now, given its declared octets, or `null`. */
  messageRefusal(declaredOctets: number): MessageRefusal | null;
  /** Counts a message, whatever its outcome. */
  countMessage(): void;
  countOctets(octets: number): void;
  /** Reserves memory. On false, nothing has changed. */
  hold(octets: number): boolean;
  release(octets: number): void;
}

export interface AdmissionCounts {
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
  const memory = memoryLimits(limits.memoryOctets, limits.largestMessage);
  const rates = { address: clientRates(limits, 'address'), network: clientRates(limits, 'network') };
  const places = createSessionPlaces({ limits: limits.sessions, clock });
  const held = new Map<string, number>();
  let heldOctets = 0;
  const used = createLruCache<string, RateUse>(MAX_REMEMBERED);
  const refused: Partial<Record<SessionRefusal | MessageRefusal, number>> = {};

  function refuse<R extends SessionRefusal | MessageRefusal>(reason: R): R {
    refused[reason] = (refused[reason] ?? 0) + 1;
    return reason;
  }

  function within(of: 'address' | 'network', key: string, what: Rated): boolean {
    return hasRate(rates[of], used.get(key), what, clock());
  }

  function take(of: 'address' | 'network', key: string, what: Rated, amount: number): void {
    used.set(key, afterTaking(rates[of], used.get(key) ?? {}, { what, amount, now: clock() }));
  }

  function clientRefusal(keys: ClientKeys): SessionRefusal | null {
    const reason = places.shareRefusal(keys);
    if (reason !== null) return reason;
    if (!within('address', keys.address, 'sessions')) return 'address_rate';
    return within('network', keys.network, 'sessions') ? null : 'network_rate';
  }

  function visitOf(
    ip: string,
    seat: Seat,
    { keys, isUnlimited }: { keys: ClientKeys; isUnlimited: boolean },
  ): Visit {
    const memoryKeys = [`address ${keys.address}`, `network ${keys.network}`];
    let own = 0;

    const takeBoth = (what: Rated, amount: number): void => {
      if (isUnlimited) return;
      take('address', keys.address, what, amount);
      take('network', keys.network, what, amount);
    };
    const hasBoth = (what: Rated): boolean =>
      isUnlimited || (within('address', keys.address, what) && within('network', keys.network, what));
    const hasMemory = (octets: number): boolean => {
      if (heldOctets + octets > memory.total) return false;
      const [ofAddress = 0, ofNetwork = 0] = memoryKeys.map((key) => held.get(key) ?? 0);
      return (
        isUnlimited || (ofAddress + octets <= memory.perAddress && ofNetwork + octets <= memory.perNetwork)
      );
    };
    const change = (octets: number): void => {
      own += octets;
      heldOctets += octets;
      for (const key of memoryKeys) {
        const now = (held.get(key) ?? 0) + octets;
        if (now === 0) held.delete(key);
        else held.set(key, now);
      }
    };

    return {
      address: ip,
      seat,
      messageRefusal(declaredOctets) {
        if (!hasBoth('messages')) return refuse('message_rate');
        if (!hasBoth('octets')) return refuse('octet_rate');
        return hasMemory(declaredOctets) ? null : refuse('memory');
      },
      countMessage: () => takeBoth('messages', 1),
      countOctets: (octets) => takeBoth('octets', octets),
      hold(octets) {
        if (!seat.isTaken) return false;
        if (!hasMemory(octets)) {
          refuse('memory');
          return false;
        }
        change(octets);
        return true;
      },
      release: (octets) => change(-Math.min(octets, own)),
    };
  }

  return {
    enter(ip, giveWay) {
      const keys = clientKeys(ip);
      const isUnlimited = isUnlimitedClient(ip);
      const reason = (isUnlimited ? null : clientRefusal(keys)) ?? places.roomRefusal(keys);
      if (reason !== null) return { refusal: refuse(reason) };
      if (!isUnlimited) {
        take('address', keys.address, 'sessions', 1);
        take('network', keys.network, 'sessions', 1);
      }
      const address = canonicalAddress(ip.replace(/%.*$/, ''));
      const seat = places.take(keys, { isUnlimited, giveWay });
      return { visit: visitOf(address, seat, { keys, isUnlimited }) };
    },
    counts: () => ({ ...places.counts(), heldOctets, refused: { ...refused } }),
  };
}
