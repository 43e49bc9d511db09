// Limits DNS answers per client network. Datagrams may have forged addresses, so answers above the limit are
// dropped, except for every second one, which asks the client to use TCP. This floods no one, and a resolver
// whose addresses are abused still gets its answers.
import { type Clock, createLruCache } from '../runtime/index.js';
import { clientKeys, gcraCapacity, gcraTake, type RateLimit } from '../rate-limits/index.js';

export interface AnswerRates {
  /** Counts a datagram and returns whether it may be read. */
  hasRoom(): boolean;
  ofUdp(ip: string): 'answer' | 'slip' | 'drop';
  /** Returns whether another question over TCP may be answered. */
  ofTcp(ip: string): boolean;
}

interface Use {
  tat: number;
  /** Datagrams over the limit. */
  over: number;
}

const MAX_REMEMBERED = 50_000;
const MINUTE_MS = 60_000;
const SLIP = 2;

/** Creates the limits. Bursts may use the allowance of one second at once. 0 turns a limit off. */
export function createAnswerRates(
  limits: { perNetworkPerMinute: number; totalPerMinute: number },
  clock: Clock,
): AnswerRates {
  const perNetwork = perMinuteLimit(limits.perNetworkPerMinute);
  const total = perMinuteLimit(limits.totalPerMinute);
  const used = createLruCache<string, Use>(MAX_REMEMBERED);
  let totalTat = 0;

  /** Returns `null` within the limit, otherwise how often it was exceeded since. */
  function take(key: string, limit: RateLimit): number | null {
    const now = clock();
    const use = used.get(key);
    if (gcraCapacity(use?.tat, limit, now) > 0) {
      used.set(key, { tat: gcraTake(use?.tat, limit, now), over: 0 });
      return null;
    }
    const over = (use?.over ?? 0) + 1;
    used.set(key, { tat: use?.tat ?? now, over });
    return over;
  }

  return {
    hasRoom() {
      if (total === null) return true;
      const now = clock();
      if (gcraCapacity(totalTat, total, now) === 0) return false;
      totalTat = gcraTake(totalTat, total, now);
      return true;
    },
    ofUdp(ip) {
      const over = perNetwork === null ? null : take(clientKeys(ip).network, perNetwork);
      if (over === null) return 'answer';
      return over % SLIP === 0 ? 'slip' : 'drop';
    },
    ofTcp: (ip) => perNetwork === null || take(`tcp ${clientKeys(ip).network}`, perNetwork) === null,
  };
}

function perMinuteLimit(perMinute: number): RateLimit | null {
  return perMinute === 0
    ? null
    : { count: perMinute, perMs: MINUTE_MS, burst: Math.max(1, Math.ceil(perMinute / 60)) };
}
