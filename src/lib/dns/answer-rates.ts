// Rate limit of answers by client network. The addresses of datagrams can be forged: answers above the limit are dropped, but
// for every second one, which is a request to come by TCP. So nobody is flooded with our answers, and a resolver in a network
// whose addresses are abused still gets its own.
import { type Clock, createLruCache } from '../runtime/index.js';
import { clientKeys, gcraCapacity, gcraTake, type RateLimit } from '../rate-limits/index.js';

export interface AnswerRates {
  /** Whether any datagram is looked at now; counts it. */
  hasRoom(): boolean;
  ofUdp(ip: string): 'answer' | 'slip' | 'drop';
  /** Whether one more question is answered by TCP. */
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

/** In one second may come at once what is allowed in it. 0 is off. */
export function createAnswerRates(
  limits: { perNetworkPerMinute: number; totalPerMinute: number },
  clock: Clock,
): AnswerRates {
  const perNetwork = limitOf(limits.perNetworkPerMinute);
  const total = limitOf(limits.totalPerMinute);
  const used = createLruCache<string, Use>(MAX_REMEMBERED);
  let totalTat = 0;

  /** Null within the limit; else how often it was broken since. */
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

function limitOf(perMinute: number): RateLimit | null {
  return perMinute === 0
    ? null
    : { count: perMinute, perMs: MINUTE_MS, burst: Math.max(1, Math.ceil(perMinute / 60)) };
}
