// The reader threads: few, started with the first read and ended after a while without one. Owners take turns at them, an
// owner never holds all of them, and a statement that takes too long costs only whoever sent it.
import { Worker } from 'node:worker_threads';
import { Database } from './sqlite-driver.js';
import { Refusal } from '../../contract/refusal.js';
import { createFairQueue } from '../../lib/runtime/fair-queue.js';
import { workerUrl } from '../../lib/runtime/package-root.js';
import { threadEnded } from '../../lib/runtime/thread-ends.js';
import type { Row, Value } from './engine.js';
import type { ReadAnswer, ReaderData, ReadJob } from './reader-port.js';
import type { Reading } from './reading.js';

/** Statements that may wait; an owner's are a quarter at most. */
const MAX_WAITING = 1_000;
const OWNER_SHARE = 4;
/** Threads that are given up cannot be stopped within a statement: beyond so many of them no other one is started. */
const MAX_LOST = 2;
const MEMORY_LIMIT_MB = 256;

export interface ReaderPoolOptions extends ReaderData {
  size: number;
  /** Longest that one statement may take. */
  statementLimitMs: number;
  /** A thread without work ends after so long. */
  idleMs: number;
}

export interface ReaderPool {
  /**
   * Rows of a SELECT with `?` placeholders. Rejects with the Refusal `read_too_slow` when it took longer than the reading or a
   * statement may, with `unavailable` when too many wait or the thread failed, and with what SQLite says.
   */
  rows(statement: string, values: readonly Value[], reading: Reading): Promise<Row[]>;
  /** Threads that run. */
  threads(): number;
  /** Ends the threads; what is under way is refused. */
  close(): Promise<void>;
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

export function createReaderPool(options: ReaderPoolOptions): ReaderPool {
  const { size, statementLimitMs, idleMs, file, busyTimeoutMs } = options;
  const queue = createFairQueue<Pending>({ total: MAX_WAITING, perOwner: MAX_WAITING / OWNER_SHARE });
  const threads = new Set<Thread>();
  const lost = new Set<Thread>();
  const gone = new WeakSet<Pending>();
  const share = Math.max(1, size - 1);
  let isClosed = false;

  function startThread(): Thread {
    const data: ReaderData = { file, busyTimeoutMs };
    const worker = new Worker(workerUrl('database/engine/reader-worker.js'), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: 8 },
      // The process's environment holds secrets, and its flags are not meant for a worker.
      env: {},
      execArgv: [],
    });
    const thread: Thread = { worker, pending: null, idle: null };
    let fault: Error | null = null;
    worker.unref();
    worker.on('message', (answer: ReadAnswer) => settle(thread, answer));
    worker.on('error', (error: Error) => (fault = error));
    worker.on('exit', () => {
      lost.delete(thread);
      if (threads.has(thread)) threadEnded.publish({ kind: 'reader' });
      const { pending } = thread;
      leave(thread);
      if (pending) fail(pending, new Error('A reader thread ended.', { cause: fault }));
      dispatch();
    });
    threads.add(thread);
    return thread;
  }

  /** Takes a thread out of service; what it runs is the caller's to answer. */
  function leave(thread: Thread): void {
    threads.delete(thread);
    if (thread.idle !== null) clearTimeout(thread.idle);
    thread.idle = null;
    thread.pending = null;
  }

  function dispatch(): void {
    while (!isClosed && queue.waiting() > 0) {
      const thread = [...threads].find(({ pending }) => pending === null) ?? null;
      if (thread === null && threads.size + Math.max(0, lost.size - MAX_LOST) >= size) return;
      const heldBy = (owner: string): number =>
        [...threads].filter(({ pending }) => pending?.owner === owner).length;
      const next = queue.take((owner) => heldBy(owner) < share, 1);
      const [pending] = next?.items ?? [];
      if (pending === undefined) return;
      // The read was too late already while it waited.
      if (gone.has(pending)) continue;
      send(thread ?? startThread(), pending);
    }
  }

  function send(thread: Thread, pending: Pending): void {
    if (thread.idle !== null) clearTimeout(thread.idle);
    thread.idle = null;
    thread.pending = pending;
    thread.worker.ref();
    thread.worker.postMessage(pending.job);
  }

  function settle(thread: Thread, answer: ReadAnswer): void {
    const { pending } = thread;
    if (pending === null) return;
    thread.pending = null;
    thread.worker.unref();
    thread.idle = setTimeout(() => endIdle(thread), idleMs).unref();
    clearTimeout(pending.timer);
    if (answer.kind === 'rows') pending.resolve(toRows(answer.columns, answer.rows));
    else pending.reject(errorOf(answer));
    dispatch();
  }

  function endIdle(thread: Thread): void {
    leave(thread);
    void thread.worker.terminate();
  }

  function fail(pending: Pending, error: Error): void {
    clearTimeout(pending.timer);
    gone.add(pending);
    pending.reject(error);
  }

  /** SQLite cannot be interrupted from outside: the thread is given up, and ends when the statement does. */
  function giveUp(pending: Pending): void {
    const thread = [...threads].find((one) => one.pending === pending);
    fail(pending, new Refusal('read_too_slow'));
    if (thread === undefined) return;
    leave(thread);
    lost.add(thread);
    threadEnded.publish({ kind: 'reader' });
    void thread.worker.terminate();
    dispatch();
  }

  return {
    rows(statement, values, reading) {
      if (isClosed) return Promise.reject(new Refusal('unavailable'));
      const limitMs = Math.min(statementLimitMs, reading.leftMs ?? statementLimitMs);
      if (limitMs <= 0) return Promise.reject(new Refusal('read_too_slow'));
      const since = performance.now();
      const { owner } = reading;
      const read = new Promise<Row[]>((resolve, reject) => {
        const timer = setTimeout(() => giveUp(pending), Math.ceil(limitMs));
        const pending: Pending = { job: { statement, values }, owner, timer, resolve, reject };
        if (!queue.push(owner, pending)) {
          fail(pending, new Refusal('unavailable', 'Too many database reads are waiting. Try again.'));
        } else dispatch();
      });
      return read.finally(() => {
        if (reading.leftMs !== null) reading.leftMs -= performance.now() - since;
      });
    },
    threads: () => threads.size,
    async close() {
      isClosed = true;
      const running = [...threads];
      const under = running.flatMap(({ pending }) => (pending === null ? [] : [pending]));
      for (const pending of [...under, ...queue.drain()]) fail(pending, new Refusal('unavailable'));
      for (const thread of running) leave(thread);
      await Promise.all([...running, ...lost].map(({ worker }) => worker.terminate()));
    },
  };
}

/** Rows travel without the names of their columns, which is half of what a list would be. */
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

/** As better-sqlite3 gives it in this thread. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function errorOf({ code, message }: { code: string | null; message: string }): Error {
  return code === null ? new Error(message) : new Database.SqliteError(message, code);
}
