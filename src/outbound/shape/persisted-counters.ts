// Limiters and counters that survive a restart. Changed ones are written together, at most once a second, so a crash loses a second
// of counting but no limit. Values that must not lose even that are written immediately.
import type { ShapingContext } from './context.js';
import type { Log } from '../../lib/runtime/index.js';
import type { RateLimit } from '../../lib/rate-limits/index.js';
import type { Change, Plan } from '../../database/change.js';
import { trafficState } from '../outbound.tables.js';
import { upsert } from '../../database/rows.js';

const FLUSH_MS = 1_000;
/** Age (ms) from which an unused counter is ignored. */
export const STALE_MS = 60 * 86_400_000;
/** Two a second. */
const SLOW_PER_MS = 2 / 1_000;

/**
 * Stores the used part of a rate. Rates of up to two a second are written immediately, so that a kill does not permit a second
 * burst. Faster rates are written once a second.
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

export class PersistedCounters {
  readonly #clock: () => number;
  readonly #commit: (plan: Plan) => Promise<unknown>;
  readonly #log: Log;
  readonly #states = new Map<string, unknown>();
  #changed = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  #written: Promise<boolean> = Promise.resolve(true);

  constructor(
    initial: ReadonlyMap<string, string>,
    { commit, clock, log }: Pick<ShapingContext, 'commit' | 'clock' | 'log'>,
  ) {
    this.#clock = clock;
    this.#commit = commit;
    this.#log = log;
    for (const [key, text] of initial) this.#states.set(key, JSON.parse(text));
  }

  /** Resolves when the values stored before are written; to false if they could not be written. */
  flush(): Promise<boolean> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const keys = this.#changed;
    this.#changed = new Set();
    // The store commits in the order of the calls: the last one ends last.
    if (keys.size > 0) this.#written = this.#write(keys);
    return this.#written;
  }

  get(key: string): unknown {
    return this.#states.get(key);
  }

  /** Entries whose keys have this beginning. */
  entries(start: string): [key: string, state: unknown][] {
    return [...this.#states].filter(([key]) => key.startsWith(start));
  }

  put(key: string, state: unknown): void {
    this.#states.set(key, state);
    if (this.#isStopped) return;
    this.#changed.add(key);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Joins the store's queue before this returns, so the value is on disk no later than anything committed afterwards. */
  putAtOnce(key: string, state: unknown): void {
    this.#states.set(key, state);
    if (this.#isStopped) return;
    this.#changed.add(key);
    void this.flush();
  }

  /** Takes over the counts of other nodes. Values stored here before are no longer written. */
  reload(stored: ReadonlyMap<string, string>): void {
    for (const [key, text] of stored) {
      this.#states.set(key, JSON.parse(text));
      this.#changed.delete(key);
    }
  }

  /** Like `put`, for values that the store has counted itself. */
  learn(key: string, state: unknown): void {
    this.#states.set(key, state);
  }

  /** Like `flush`. Values stored later are counted but not written. */
  stop(): Promise<boolean> {
    this.#isStopped = true;
    return this.flush();
  }

  async #write(keys: ReadonlySet<string>): Promise<boolean> {
    const now = this.#clock();
    const plan = [...keys].map((key): Change => {
      const set = { state: JSON.stringify(this.#states.get(key)), updated_at: now };
      return upsert(trafficState, { row: { key, ...set }, key: ['key'], set });
    });
    try {
      await this.#commit(plan);
      return true;
    } catch (error) {
      this.#log.warn({ err: error }, 'saving rate limiters failed: retrying with the next change');
      for (const key of keys) this.#changed.add(key);
      return false;
    }
  }
}
