// Admission of clients: counts their sessions, messages and memory against the limits per client. Listeners that share an
// admission share its limits. Counts of sessions are bounded by the sessions, the others by a table that forgets the oldest.
import { createLruCache } from '../runtime/lru-cache.js';
import { canonicalAddress } from '../addresses/address-range.rules.js';
import { allowedAddressTest } from '../addresses/allowed-addresses.rules.js';
import {
  afterTaking,
  clientKeys,
  clientRates,
  hasRate,
  memoryLimits,
  sessionRefusal,
  type Rated,
  type RateSettings,
  type RateUse,
  type SessionLimits,
  type SessionRefusal,
} from './client-limits.rules.js';
import type { Clock } from '../runtime/clock.js';

const MAX_REMEMBERED = 50_000;

export interface AdmissionLimits extends RateSettings {
  sessions: SessionLimits;
  /** Octets of messages being received that are held at once. */
  memoryOctets: number;
  /** The largest message that a listener with this admission takes. */
  largestMessage: number;
  /** Addresses and ranges that only the totals hold. */
  unlimitedClients: readonly string[];
}

export type MessageRefusal = 'message_rate' | 'octet_rate' | 'memory';

/** One session, from the accepted socket to its end. */
export interface Visit {
  readonly address: string;
  /** Why no message may begin now, by what is known of it (octets), or null. */
  messageRefusal(declaredOctets: number): MessageRefusal | null;
  /** A message begins: it counts, whatever becomes of it. */
  countMessage(): void;
  countOctets(octets: number): void;
  /** Takes memory; false leaves everything as it was. */
  hold(octets: number): boolean;
  release(octets: number): void;
  /** Ends the session; may be called more than once. Memory stays counted until it is released: a message can outlive its session. */
  leave(): void;
}

export interface AdmissionCounts {
  sessions: number;
  heldOctets: number;
  /** Since the start, by the limit. */
  refused: Readonly<Partial<Record<SessionRefusal | MessageRefusal, number>>>;
}

export interface ClientAdmission {
  enter(ip: string): { visit: Visit } | { refusal: SessionRefusal };
  counts(): AdmissionCounts;
}

interface Present {
  sessions: number;
  heldOctets: number;
}

/** An address or a network with open sessions. */
interface Place {
  key: string;
  present: Present;
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
  const present = new Map<string, Present>();
  const used = createLruCache<string, RateUse>(MAX_REMEMBERED);
  const all: Present = { sessions: 0, heldOctets: 0 };
  const refused: Partial<Record<SessionRefusal | MessageRefusal, number>> = {};

  function refuse<R extends SessionRefusal | MessageRefusal>(reason: R): R {
    refused[reason] = (refused[reason] ?? 0) + 1;
    return reason;
  }

  function placeOf(key: string): Place {
    const known = present.get(key) ?? { sessions: 0, heldOctets: 0 };
    present.set(key, known);
    return { key, present: known };
  }

  function within(of: 'address' | 'network', key: string, what: Rated): boolean {
    return hasRate(rates[of], used.get(key), what, clock());
  }

  function take(of: 'address' | 'network', key: string, what: Rated, amount: number): void {
    used.set(key, afterTaking(rates[of], used.get(key) ?? {}, { what, amount, now: clock() }));
  }

  function entryRefusal(
    keys: { address: string; network: string },
    isUnlimited: boolean,
  ): SessionRefusal | null {
    const open = {
      total: all.sessions,
      ofAddress: present.get(keys.address)?.sessions ?? 0,
      ofNetwork: present.get(keys.network)?.sessions ?? 0,
    };
    const reason = sessionRefusal(open, limits.sessions, isUnlimited);
    if (reason !== null || isUnlimited) return reason;
    if (!within('address', keys.address, 'sessions')) return 'address_rate';
    return within('network', keys.network, 'sessions') ? null : 'network_rate';
  }

  function visitOf(ip: string, keys: { address: string; network: string }, isUnlimited: boolean): Visit {
    const address = placeOf(keys.address);
    const network = placeOf(keys.network);
    const counted = [all, address.present, network.present];
    for (const one of counted) one.sessions += 1;
    let held = 0;
    let isHere = true;

    const takeBoth = (what: Rated, amount: number): void => {
      if (isUnlimited) return;
      take('address', keys.address, what, amount);
      take('network', keys.network, what, amount);
    };
    const hasBoth = (what: Rated): boolean =>
      isUnlimited || (within('address', keys.address, what) && within('network', keys.network, what));
    const hasMemory = (octets: number): boolean =>
      all.heldOctets + octets <= memory.total &&
      (isUnlimited ||
        (address.present.heldOctets + octets <= memory.perAddress &&
          network.present.heldOctets + octets <= memory.perNetwork));
    const change = (octets: number): void => {
      held += octets;
      for (const one of counted) one.heldOctets += octets;
    };
    const forgetEmpty = (): void => {
      for (const { key, present: one } of [address, network]) {
        if (one.sessions === 0 && one.heldOctets === 0) present.delete(key);
      }
    };

    return {
      address: ip,
      messageRefusal(declaredOctets) {
        if (!hasBoth('messages')) return refuse('message_rate');
        if (!hasBoth('octets')) return refuse('octet_rate');
        return hasMemory(declaredOctets) ? null : refuse('memory');
      },
      countMessage: () => takeBoth('messages', 1),
      countOctets: (octets) => takeBoth('octets', octets),
      hold(octets) {
        if (!isHere) return false;
        if (!hasMemory(octets)) {
          refuse('memory');
          return false;
        }
        change(octets);
        return true;
      },
      release(octets) {
        change(-Math.min(octets, held));
        forgetEmpty();
      },
      leave() {
        if (!isHere) return;
        isHere = false;
        for (const one of counted) one.sessions -= 1;
        forgetEmpty();
      },
    };
  }

  return {
    enter(ip) {
      const keys = clientKeys(ip);
      const isUnlimited = isUnlimitedClient(ip);
      const reason = entryRefusal(keys, isUnlimited);
      if (reason !== null) return { refusal: refuse(reason) };
      if (!isUnlimited) {
        take('address', keys.address, 'sessions', 1);
        take('network', keys.network, 'sessions', 1);
      }
      return { visit: visitOf(canonicalAddress(ip.replace(/%.*$/, '')), keys, isUnlimited) };
    },
    counts: () => ({ sessions: all.sessions, heldOctets: all.heldOctets, refused: { ...refused } }),
  };
}
