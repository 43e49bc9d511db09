// Collects entries of the request log and writes them in batches, so that no request waits for them. The number of entries per
// minute is limited, with a higher limit for failures, so that a busy client does not fill the disk.
import type { Clock, Log } from '../../lib/runtime/index.js';
import type { Config } from '../../settings/settings.js';
import type { AccountContext } from '../context.js';
import type { AccountStores } from '../stores.js';
import type { LoggedRequest } from './request-log.tables.js';

export type LoggedKind = 'read' | 'change' | 'failure';

/** Entries per minute of one environment, or of one sub-tenant in it. */
const KEPT_PER_MINUTE: Readonly<Record<LoggedKind, number>> = { read: 30, change: 60, failure: 300 };
const MINUTE_MS = 60_000;
/** Time (ms) from the first entry to its batch. */
const DELAY_MS = 2_000;
/** Limits waiting entries if the store is slow. */
const MOST_WAITING = 2_000;

type LogContext = Pick<AccountContext, 'store' | 'clock' | 'log'> & {
  settings: Pick<Config, 'requestLogKeepMs'>;
};

export class RequestLog {
  readonly #store: AccountStores;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #isOn: boolean;
  #waiting: LoggedRequest[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #minute = 0;
  readonly #counts = new Map<string, number>();

  constructor({ store, clock, log, settings }: LogContext) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#isOn = settings.requestLogKeepMs > 0;
  }

  /** Counts a request, and returns whether it is to be logged. */
  shouldLog(environmentId: number, subTenantId: string | null, kind: LoggedKind): boolean {
    if (!this.#isOn || this.#waiting.length >= MOST_WAITING) return false;
    const now = Math.floor(this.#clock() / MINUTE_MS);
    if (now !== this.#minute) {
      this.#minute = now;
      this.#counts.clear();
    }
    const key = `${kind} ${environmentId} ${subTenantId ?? ''}`;
    const count = this.#counts.get(key) ?? 0;
    if (count >= KEPT_PER_MINUTE[kind]) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  add(row: LoggedRequest): void {
    this.#waiting.push(row);
    this.#timer ??= setTimeout(() => void this.flush(), DELAY_MS).unref();
  }

  /** Writes waiting entries. Never rejects: entries that cannot be written are dropped with a warning. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const rows = this.#waiting;
    this.#waiting = [];
    if (rows.length === 0) return;
    try {
      await this.#store.requestLog.write(rows);
    } catch (error) {
      this.#log.warn({ err: error, requests: rows.length }, 'request log entries dropped');
    }
  }
}
