// Limiters and counters that survive a restart: changed ones are written together, at most once a second. A crash loses a
// second of counting, never a limit; what may not lose that either is written at once.
import type { Log } from '../../lib/runtime/log.js';
import type { RateLimit } from '../../lib/runtime/gcra.rules.js';
import type { Change, Plan } from '../../database/change.js';
import { trafficState } from '../outbound.tables.js';
import { upsert } from '../../database/rows.js';

const FLUSH_MS = 1_000;
/** Age (ms) from which an unused counter is ignored. */
export const STALE_MS = 60 * 86_400_000;
/** Two a second. */
const SLOW_PER_MS = 2 / 1_000;

export interface PersistedCounters {
  get(key: string): unknown;
  /** Entries whose keys have this beginning. */
  entries(start: string): [key: string, state: unknown][];
  put(key: string, state: unknown): void;
  /** Enters the store's line before this returns: on disk no later than what is committed after it. */
  putAtOnce(key: string, state: unknown): void;
  /** Takes over what other nodes have counted; what was put here before is not written any more. */
  reload(stored: ReadonlyMap<string, string>): void;
  /** As `put`, of what the store has counted itself. */
  learn(key: string, state: unknown): void;
  /** Resolves when what was put before is written, or could not be: false. */
  flush(): Promise<boolean>;
  /** The same; what is put later is counted, and not written. */
  stop(): Promise<boolean>;
}

/**
 * Puts what is used of a rate. Up to two a second each is written at once, so that a kill makes no room for a second burst; of faster
 * rates the counter is once a second.
 */
export function putRate(
  counters: Pick<PersistedCounters, 'put' | 'putAtOnce'>,
  key: string,
  tat: number,
  rate: RateLimit | null,
): void {
  if (rate !== null && rate.count / rate.perMs <= SLOW_PER_MS) counters.putAtOnce(key, tat);
  else counters.put(key, tat);
}

export interface PersistedCountersDeps {
  initial: ReadonlyMap<string, string>;
  commit: (plan: Plan) => Promise<unknown>;
  clock: () => number;
  log: Log;
}

export function createPersistedCounters(deps: PersistedCountersDeps): PersistedCounters {
  const states = new Map<string, unknown>();
  for (const [key, text] of deps.initial) states.set(key, JSON.parse(text));
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;
  let written: Promise<boolean> = Promise.resolve(true);

  function flush(): Promise<boolean> {
    if (timer) clearTimeout(timer);
    timer = null;
    const keys = changed;
    changed = new Set();
    // The store commits in the order of the calls: the last one ends last.
    if (keys.size > 0) written = write(keys);
    return written;
  }

  async function write(keys: ReadonlySet<string>): Promise<boolean> {
    const now = deps.clock();
    const plan = [...keys].map((key): Change => {
      const set = { state: JSON.stringify(states.get(key)), updated_at: now };
      return upsert(trafficState, { row: { key, ...set }, key: ['key'], set });
    });
    try {
      await deps.commit(plan);
      return true;
    } catch (error) {
      deps.log.warn({ err: error }, 'saving rate limiters failed: retrying with the next change');
      for (const key of keys) changed.add(key);
      return false;
    }
  }

  return {
    get: (key) => states.get(key),
    entries: (start) => [...states].filter(([key]) => key.startsWith(start)),
    put(key, state) {
      states.set(key, state);
      if (isStopped) return;
      changed.add(key);
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    putAtOnce(key, state) {
      states.set(key, state);
      if (isStopped) return;
      changed.add(key);
      void flush();
    },
    reload(stored) {
      for (const [key, text] of stored) {
        states.set(key, JSON.parse(text));
        changed.delete(key);
      }
    },
    learn: (key, state) => void states.set(key, state),
    flush,
    stop() {
      isStopped = true;
      return flush();
    },
  };
}
