// Counts the TLS results of sessions and stores them in batches for TLS reports (RFC 8460).
import { DAY_MS } from '../../lib/tls-policy/index.js';
import type { TlsResult } from './tls-results.store.js';
import type { OutboundStores } from '../stores.js';
import type { Log } from '../../lib/runtime/index.js';

const FLUSH_MS = 5_000;
/** Largest number of counts kept while the store is unavailable. Others are dropped. */
const MAX_WAITING = 10_000;

export class TlsCounts {
  readonly #store: Pick<OutboundStores['tlsResults'], 'add'>;
  readonly #log: Log;
  #waiting = new Map<string, TlsResult>();
  #timer: NodeJS.Timeout | null = null;

  constructor(store: Pick<OutboundStores['tlsResults'], 'add'>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Stores the pending counts. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const results = [...this.#waiting.values()];
    this.#waiting = new Map();
    if (results.length === 0) return;
    try {
      await this.#store.add(results);
    } catch (error) {
      this.#log.warn({ err: error }, 'saving TLS results failed');
    }
  }

  add(results: readonly TlsResult[]): void {
    for (const result of results) {
      const { sessions } = result;
      // Reports cover a whole day, so the time within the day is ignored.
      const key = JSON.stringify({ ...result, at: Math.floor(result.at / DAY_MS), sessions: 0 });
      const known = this.#waiting.get(key);
      if (known) known.sessions += sessions;
      else if (this.#waiting.size < MAX_WAITING) this.#waiting.set(key, { ...result });
    }
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => void this.stop(), FLUSH_MS).unref();
  }
}
