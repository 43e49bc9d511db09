// Caches DNS answers, with one question in progress per record set and a limit on all of them (negative
// caching as in RFC 2308).
import { type Clock, createLruCache } from '../runtime/index.js';
import type { DnsAnswer } from '../dns-answers/index.js';
import { createSemaphore } from '../concurrency/index.js';

const FAILURE_TTL_MS = 10_000;

/** An answer and the lifetime of its records; Infinity if the server gave none. */
export interface Fetched<T> {
  answer: DnsAnswer<T>;
  ttlMs: number;
}

export interface ResolverStats {
  /** Questions sent to a server. */
  asked: number;
  hits: number;
  /** Questions that joined an identical one in progress. */
  joined: number;
  failed: number;
  running: number;
  waiting: number;
  cached: number;
}

interface AnswerCache {
  /**
   * Returns the cached answer, or calls `fetch`, which must never reject. `slot` names type and name, so that
   * a slot always contains answers of one T.
   */
  ask<T>(slot: string, fresh: boolean, fetch: () => Promise<Fetched<T>>): Promise<DnsAnswer<T>>;
  stats(): ResolverStats;
}

interface Entry {
  answer: DnsAnswer<unknown>;
  expiresAt: number;
}

export function createAnswerCache(options: {
  size: number;
  maxParallel: number;
  positiveTtlMs: number;
  negativeTtlMs: number;
  clock: Clock;
}): AnswerCache {
  const { clock, positiveTtlMs, negativeTtlMs } = options;
  const entries = createLruCache<string, Entry>(options.size);
  const inProgress = new Map<string, Promise<DnsAnswer<unknown>>>();
  const semaphore = createSemaphore(options.maxParallel);
  const counts = { asked: 0, hits: 0, joined: 0, failed: 0 };

  const lifeMs = ({ answer, ttlMs }: Fetched<unknown>): number => {
    if (answer.kind === 'found') return Math.min(positiveTtlMs, ttlMs);
    return answer.kind === 'failed' ? Math.min(negativeTtlMs, FAILURE_TTL_MS) : negativeTtlMs;
  };

  const keep = (slot: string, fetched: Fetched<unknown>): void => {
    const { answer } = fetched;
    const now = clock();
    if (answer.kind === 'failed') {
      counts.failed++;
      // A failed fresh look-up must not replace a valid answer.
      if (answer.reason === 'canceled' || (entries.get(slot)?.expiresAt ?? 0) > now) return;
    }
    entries.set(slot, { answer, expiresAt: now + lifeMs(fetched) });
  };

  return {
    ask: <T>(slot: string, fresh: boolean, fetch: () => Promise<Fetched<T>>): Promise<DnsAnswer<T>> => {
      const cached = fresh ? undefined : entries.get(slot);
      if (cached && cached.expiresAt > clock()) {
        counts.hits++;
        return Promise.resolve(cached.answer as DnsAnswer<T>);
      }
      const flight = fresh ? `${slot} fresh` : slot;
      const running = inProgress.get(flight);
      if (running) {
        counts.joined++;
        return running as Promise<DnsAnswer<T>>;
      }
      counts.asked++;
      const started = semaphore
        .run(fetch)
        .then((fetched) => {
          keep(slot, fetched);
          return fetched.answer;
        })
        .finally(() => inProgress.delete(flight));
      inProgress.set(flight, started);
      return started;
    },
    stats: () => ({
      ...counts,
      running: semaphore.inProgress(),
      waiting: semaphore.waiting(),
      cached: entries.size,
    }),
  };
}
