// Collects how TLS went, session by session, and writes it down in batches for the reports.
import { DAY_MS } from '../../lib/tls/tls-report.rules.js';
import type { TlsResult } from './tls-results.store.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';

const FLUSH_MS = 5_000;
/** Largest number of counts that wait while the store cannot write. */
const MAX_WAITING = 10_000;

export interface TlsCounts {
  add(results: readonly TlsResult[]): void;
  /** Writes what waits. */
  stop(): Promise<void>;
}

export function createTlsCounts(deps: {
  add: (results: readonly TlsResult[]) => Promise<void>;
  clock: Clock;
  log: Log;
}): TlsCounts {
  let waiting = new Map<string, TlsResult>();
  let timer: NodeJS.Timeout | null = null;

  async function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const results = [...waiting.values()];
    waiting = new Map();
    if (results.length === 0) return;
    try {
      await deps.add(results);
    } catch (error) {
      deps.log.warn({ err: error }, 'saving TLS results failed');
    }
  }

  return {
    add(results) {
      for (const result of results) {
        const { sessions } = result;
        // One day's sessions are reported together, whatever their time.
        const key = JSON.stringify({ ...result, at: Math.floor(result.at / DAY_MS), sessions: 0 });
        const known = waiting.get(key);
        if (known) known.sessions += sessions;
        else if (waiting.size < MAX_WAITING) waiting.set(key, { ...result });
      }
      if (waiting.size > 0) timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    stop: flush,
  };
}
