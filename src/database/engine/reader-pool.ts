// Reader threads: a small number, started at the first read and ended when idle. Owners take turns and never occupy all
// threads, and a slow statement affects only its sender.
import { Worker } from 'node:worker_threads';
import { Database } from './sqlite-driver.js';
import { Refusal } from '../../contract/refusal.js';
import { createFairQueue } from '../../lib/concurrency/index.js';
import { workerUrl } from '../../lib/runtime/index.js';
import { threadEnded } from '../../lib/threads/index.js';
import type { Row, Value } from './engine.js';
import type { ReadAnswer, ReaderData, ReadJob } from './reader-port.js';
import type { Reading } from './reading.js';

/** Most waiting statements; one owner may have a quarter. */
const MAX_WAITING = 1_000;
const OWNER_SHARE = 4;
/** A thread that is given up cannot be interrupted within a statement. Beyond this number, no replacement is started. */
const MAX_LOST = 2;
const MEMORY_LIMIT_MB = 256;

interface ReaderPoolOptions extends ReaderData {
  size: number;
  /** Time limit of one statement. */
  statementLimitMs: number;
  /** Time after which an idle thread ends. */
  idleMs: number;
}

interface Pending {
  job: ReadJob;
  owner: string;
  timer: NodeJS.Timeout;
  resolve(rows: Row[]): void;
  reject(error: Error): void;
}

interface Thread {
  worker: Worker;
  pending: Pending | null;
  idle: NodeJS.Timeout | null;
}

export class ReaderPool {
  readonly #options: ReaderPoolOptions;
  readonly #queue = createFairQueue<Pending>({ total: MAX_WAITING, perOwner: MAX_WAITING / OWNER_SHARE });
  readonly #threads = new Set<Thread>();
  readonly #lost = new Set<Thread>();
  readonly #gone = new WeakSet<Pending>();
  readonly #share: number;
  #isClosed = false;

  constructor(options: ReaderPoolOptions) {
    this.#options = options;
    this.#share = Math.max(1, options.size - 1);
  }

  /**
   * Returns the rows of a SELECT with `?` placeholders. Refuses with `read_too_slow` if it exceeds the reading's or a
   * statement's time, and with `unavailable` if too many reads wait or the thread failed. Throws errors of SQLite.
   */
  rows(statement: string, values: readonly Value[], reading: Reading): Promise<Row[]> {
    if (this.#isClosed) return Promise.reject(new Refusal('unavailable'));
    const limitMs = Math.min(
      this.#options.statementLimitMs,
      reading.leftMs ?? this.#options.statementLimitMs,
    );
    if (limitMs <= 0) return Promise.reject(new Refusal('read_too_slow'));
    const since = performance.now();
    const { owner } = reading;
    const read = new Promise<Row[]>((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(pending), Math.ceil(limitMs));
      const pending: Pending = { job: { statement, values }, owner, timer, resolve, reject };
      if (!this.#queue.push(owner, pending)) {
        this.#fail(pending, new Refusal('unavailable', 'Too many database reads are waiting. Try again.'));
      } else this.#dispatch();
    });
    return read.finally(() => {
      if (reading.leftMs !== null) reading.leftMs -= performance.now() - since;
    });
  }

  /** The number of running threads. */
  threads(): number {
    return this.#threads.size;
  }

  /** Ends the threads and refuses the reads in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const running = [...this.#threads];
    const under = running.flatMap(({ pending }) => (pending === null ? [] : [pending]));
    for (const pending of [...under, ...this.#queue.drain()]) this.#fail(pending, new Refusal('unavailable'));
    for (const thread of running) this.#leave(thread);
    await Promise.all([...running, ...this.#lost].map(({ worker }) => worker.terminate()));
  }

  #startThread(): Thread {
    const { file, busyTimeoutMs } = this.#options;
    const data: ReaderData = { file, busyTimeoutMs };
    const worker = new Worker(workerUrl('database/engine/reader-worker.js'), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: 8 },
      // The process's environment contains secrets, and its flags are not meant for a worker.
      env: {},
      execArgv: [],
    });
    const thread: Thread = { worker, pending: null, idle: null };
    let fault: Error | null = null;
    worker.unref();
    worker.on('message', (answer: ReadAnswer) => this.#settle(thread, answer));
    worker.on('error', (error: Error) => (fault = error));
    worker.on('exit', () => {
      this.#lost.delete(thread);
      if (this.#threads.has(thread)) threadEnded.publish({ kind: 'reader' });
      const { pending } = thread;
      this.#leave(thread);
      if (pending) this.#fail(pending, new Error('A reader thread ended.', { cause: fault }));
      this.#dispatch();
    });
    this.#threads.add(thread);
    return thread;
  }

  /** Takes a thread out of service. The caller answers its pending read. */
  #leave(thread: Thread): void {
    this.#threads.delete(thread);
    if (thread.idle !== null) clearTimeout(thread.idle);
    thread.idle = null;
    thread.pending = null;
  }

  #dispatch(): void {
    while (!this.#isClosed && this.#queue.waiting() > 0) {
      const thread = [...this.#threads].find(({ pending }) => pending === null) ?? null;
      if (
        thread === null &&
        this.#threads.size + Math.max(0, this.#lost.size - MAX_LOST) >= this.#options.size
      )
        return;
      const heldBy = (owner: string): number =>
        [...this.#threads].filter(({ pending }) => pending?.owner === owner).length;
      const next = this.#queue.take((owner) => heldBy(owner) < this.#share, 1);
      const [pending] = next?.items ?? [];
      if (pending === undefined) return;
      // The read timed out while it waited.
      if (this.#gone.has(pending)) continue;
      this.#send(thread ?? this.#startThread(), pending);
    }
  }

  #send(thread: Thread, pending: Pending): void {
    if (thread.idle !== null) clearTimeout(thread.idle);
    thread.idle = null;
    thread.pending = pending;
    thread.worker.ref();
    thread.worker.postMessage(pending.job);
  }

  #settle(thread: Thread, answer: ReadAnswer): void {
    const { pending } = thread;
    if (pending === null) return;
    thread.pending = null;
    thread.worker.unref();
    thread.idle = setTimeout(() => this.#endIdle(thread), this.#options.idleMs).unref();
    clearTimeout(pending.timer);
    if (answer.kind === 'rows') pending.resolve(toRows(answer.columns, answer.rows));
    else pending.reject(errorOf(answer));
    this.#dispatch();
  }

  #endIdle(thread: Thread): void {
    this.#leave(thread);
    void thread.worker.terminate();
  }

  #fail(pending: Pending, error: Error): void {
    clearTimeout(pending.timer);
    this.#gone.add(pending);
    pending.reject(error);
  }

  /** Abandons a thread, because SQLite cannot be interrupted from outside. The thread ends with its statement. */
  #giveUp(pending: Pending): void {
    const thread = [...this.#threads].find((one) => one.pending === pending);
    this.#fail(pending, new Refusal('read_too_slow'));
    if (thread === undefined) return;
    this.#leave(thread);
    this.#lost.add(thread);
    threadEnded.publish({ kind: 'reader' });
    void thread.worker.terminate();
    this.#dispatch();
  }
}

/** Builds rows from values, which are transferred without column names, half of a list's size. */
function toRows(columns: readonly string[], rows: readonly unknown[][]): Row[] {
  return rows.map((cells) => {
    const row: Row = {};
    for (const [i, name] of columns.entries()) {
      const cell = cells[i];
      row[name] = cell instanceof Uint8Array ? asBuffer(cell) : cell;
    }
    return row;
  });
}

/** Returns a Buffer, as better-sqlite3 does in this thread. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function errorOf({ code, message }: { code: string | null; message: string }): Error {
  return code === null ? new Error(message) : new Database.SqliteError(message, code);
}
