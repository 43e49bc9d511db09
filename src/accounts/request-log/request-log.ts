// Collects what the request log keeps, and writes it in batches: a request waits for none of it. Of those that succeed so many
// of a minute are kept, of those that fail many more; the rest is left out, so that a busy program does not fill the disk.
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import type { RequestLogStore } from './request-log.store.js';
import type { LoggedRequest } from './request-log.tables.js';

export type LoggedKind = 'read' | 'change' | 'failure';

/** Of a minute, of one environment or of one sub-tenant in it. */
const KEPT_PER_MINUTE: Readonly<Record<LoggedKind, number>> = { read: 30, change: 60, failure: 300 };
const MINUTE_MS = 60_000;
/** From the first entry to its batch. */
const DELAY_MS = 2_000;
/** More are not kept while they wait: the store is slow. */
const MOST_WAITING = 2_000;

export interface RequestLog {
  /** Whether the next request of this kind is to be kept; counts it. */
  wants(environmentId: number, subTenantId: string | null, kind: LoggedKind): boolean;
  add(row: LoggedRequest): void;
  /** Writes what waits. Never rejects: what cannot be written is lost, and the log says so. */
  flush(): Promise<void>;
}

export interface RequestLogDeps {
  store: { requestLog: Pick<RequestLogStore, 'write'> };
  /** 0: nothing is kept. */
  keepMs: number;
  clock: Clock;
  log: Log;
}

export function createRequestLog({ store, keepMs, clock, log }: RequestLogDeps): RequestLog {
  let waiting: LoggedRequest[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let minute = 0;
  const counts = new Map<string, number>();

  async function write(): Promise<void> {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    try {
      await store.requestLog.write(rows);
    } catch (error) {
      log.warn({ err: error, requests: rows.length }, 'request log entries dropped');
    }
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  }

  return {
    wants(environmentId, subTenantId, kind) {
      if (keepMs === 0 || waiting.length >= MOST_WAITING) return false;
      const now = Math.floor(clock() / MINUTE_MS);
      if (now !== minute) {
        minute = now;
        counts.clear();
      }
      const key = `${kind} ${environmentId} ${subTenantId ?? ''}`;
      const count = counts.get(key) ?? 0;
      if (count >= KEPT_PER_MINUTE[kind]) return false;
      counts.set(key, count + 1);
      return true;
    },
    add(row) {
      waiting.push(row);
      timer ??= setTimeout(() => void flush(), DELAY_MS).unref();
    },
    flush,
  };
}
