// A pool of worker threads for work that may be hostile: each job has a wall limit and a memory limit, a job that
// breaks one costs only itself, and owners take turns so that one owner's bad jobs do not stall the others'.

import { Worker } from 'node:worker_threads';

import {
  PROGRESS_BYTES,
  progressOf,
  type Answer,
  type Answers,
  type Batch,
  type Progress,
} from './bounded-worker-port.js';
import { createFairQueue, type FairQueue } from '../concurrency/index.js';
import { threadEnded } from './thread-ends.js';

export type PoolOptions = {
  /** The worker's entry, which calls `serveJobs`. */
  entry: URL;
  size: number;
  /** Longest time of one job. Its waits for answers of others count, its wait in the queue does not. */
  wallLimitMs: number;
  memoryLimitMb: number;
  /** Jobs that may wait, half of them of one owner. */
  maxQueue: number;
  /** Time (ms) that a job which broke a limit is refused, and its owner served after all others. */
  penaltyMs?: number;
  /** Jobs of one owner sent to a worker together, and how long such a batch may go on before others get their turn. */
  maxBatch?: number;
  sliceMs?: number;
  /**
   * Batches that one thread runs at once, for jobs that mostly wait; default 1. A job that keeps its thread from the
   * others may cost one of them its time, too.
   */
  slots?: number;
  /** Longest that a thread may take to load. */
  startLimitMs?: number;
};

const DEFAULTS = { penaltyMs: 60_000, maxBatch: 8, sliceMs: 50, slots: 1, startLimitMs: 10_000 };

/**
 * `key` tells an owner's jobs apart: a job with the key of one that broke a limit gets the same answer at once. It is asked for only
 * when a job of the owner has broken one.
 */
export type JobTag = { owner: string; key: () => string };
export type Broken = { kind: 'timeout' } | { kind: 'crashed'; reason: 'memory' | 'exit' | 'closed' };
export type JobResult<Value> = { kind: 'done'; value: Value } | Broken | { kind: 'busy' };

export interface BoundedPool<Job, Value> {
  /** Rejects only when the worker's own code failed or could not be loaded. */
  run: (job: Job, tag: JobTag) => Promise<JobResult<Value>>;
  /** Ends the threads; jobs not yet done end as `crashed`, reason `closed`. */
  close: () => Promise<void>;
}

interface Pending<Value> {
  job: unknown;
  tag: JobTag;
  resolve: (result: JobResult<Value>) => void;
  reject: (error: Error) => void;
}
interface Running<Value> {
  owner: string;
  isSlow: boolean;
  jobs: Pending<Value>[];
  timer: NodeJS.Timeout;
}
/** One of the batches that a thread runs at once. */
interface Slot<Value> {
  thread: Thread<Value>;
  index: number;
  progress: Progress;
  running: Running<Value> | null;
}
interface Thread<Value> {
  worker: Worker;
  slots: Slot<Value>[];
  fault: Error | null;
}

const LOADING_CHECK_MS = 100;

/**
 * Threads start with the first job and do not keep the process alive while idle. With one thread a bad job still
 * delays everybody by up to `wallLimitMs`; with more, a single owner never holds all of them, nor do all the owners
 * that lately broke a limit.
 */
export function createBoundedPool<Job, Value>(options: PoolOptions): BoundedPool<Job, Value> {
  const pool = new WorkerPool<Job, Value>(options);
  return { run: (job, tag) => pool.run(job, tag), close: () => pool.close() };
}

class WorkerPool<Job, Value> {
  readonly #options: Required<PoolOptions>;
  readonly #queue: FairQueue<Pending<Value>>;
  readonly #penalties: Penalties;
  readonly #threads = new Set<Thread<Value>>();
  /** Threads that one owner may hold, and so many that all slow owners together may hold. */
  readonly #share: number;
  #isDispatching = false;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = { ...DEFAULTS, ...options };
    const { maxQueue, penaltyMs, size } = this.#options;
    this.#queue = createFairQueue({ total: maxQueue, perOwner: Math.ceil(maxQueue / 2) });
    this.#penalties = createPenalties(penaltyMs);
    this.#share = Math.max(1, size - 1);
  }

  run(job: Job, tag: JobTag): Promise<JobResult<Value>> {
    if (this.#isClosed) return Promise.resolve({ kind: 'crashed', reason: 'closed' });
    const known = this.#penalties.of(tag);
    if (known !== null) return Promise.resolve(known);
    return new Promise<JobResult<Value>>((resolve, reject) => {
      if (!this.#queue.push(tag.owner, { job, tag, resolve, reject })) resolve({ kind: 'busy' });
      else this.#dispatchSoon();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const held = [...this.#threads].flatMap(runningIn);
    const running = held.flatMap(({ jobs }) => jobs);
    for (const { timer } of held) clearTimeout(timer);
    for (const { resolve } of [...running, ...this.#queue.drain()]) {
      resolve({ kind: 'crashed', reason: 'closed' });
    }
    const workers = [...this.#threads].map(({ worker }) => worker);
    this.#threads.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #dispatchSoon(): void {
    if (this.#isDispatching) return;
    this.#isDispatching = true;
    // After the current tick, so that jobs submitted together go into one batch.
    queueMicrotask(() => {
      this.#isDispatching = false;
      while (!this.#isClosed && this.#dispatchOne());
    });
  }

  #dispatchOne(): boolean {
    if (this.#queue.waiting() === 0) return false;
    // A thread that has little to do before one that has much, and those before a new one.
    const busy = [...this.#threads].sort((a, b) => runningIn(a).length - runningIn(b).length);
    for (const thread of busy) {
      const idle = thread.slots.find((slot) => slot.running === null);
      const next = idle === undefined ? null : this.#takeFor(thread);
      if (idle === undefined || next === null) continue;
      this.#start(idle, next.owner, next.items);
      return true;
    }
    const next = this.#threads.size < this.#options.size ? this.#takeFor(null) : null;
    if (next === null) return false;
    this.#start(this.#openThread(), next.owner, next.items);
    return true;
  }

  /** The jobs that may run next in a thread; null stands for one that is still to be started. */
  #takeFor(thread: Thread<Value> | null): { owner: string; items: Pending<Value>[] } | null {
    const others = [...this.#threads].filter((other) => other !== thread).map(runningIn);
    const holding = (test: (running: Running<Value>) => boolean): number =>
      others.filter((running) => running.some(test)).length;
    const hasShare = (owner: string): boolean => holding((running) => running.owner === owner) < this.#share;
    const slowHeld = holding((running) => running.isSlow);
    return (
      this.#queue.take(
        (owner) => hasShare(owner) && !this.#penalties.isSlow(owner),
        this.#options.maxBatch,
      ) ?? this.#queue.take((owner) => hasShare(owner) && slowHeld < this.#share, 1)
    );
  }

  #start(slot: Slot<Value>, owner: string, jobs: Pending<Value>[]): void {
    Atomics.store(slot.progress, 0, 0n);
    Atomics.store(slot.progress, 1, 0n);
    const { sliceMs, wallLimitMs } = this.#options;
    const batch: Batch = { slot: slot.index, jobs: jobs.map(({ job }) => job), sliceMs };
    const timer = setTimeout(() => this.#checkTime(slot, process.hrtime.bigint()), wallLimitMs);
    slot.running = { owner, isSlow: this.#penalties.isSlow(owner), jobs, timer };
    slot.thread.worker.ref();
    try {
      slot.thread.worker.postMessage(batch);
    } catch (error) {
      // A job that cannot be copied to a thread is the caller's mistake; it must not end the process.
      const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
      const fault: Answer = { kind: 'fault', message, stack };
      this.#finish(
        slot,
        jobs.map(() => fault),
      );
    }
  }

  #checkTime(slot: Slot<Value>, sentAt: bigint): void {
    const { running } = slot;
    if (running === null) return;
    const index = Number(Atomics.load(slot.progress, 0));
    const startedAt = Atomics.load(slot.progress, 1);
    // All done: the answers are on their way, and it was this thread that was late.
    const isThrough = index >= running.jobs.length;
    const leftMs = isThrough ? this.#options.wallLimitMs : this.#timeLeft(startedAt, sentAt);
    if (leftMs > 0) {
      // A thread that still loads is checked often: its first job may begin at any moment.
      const checkInMs = startedAt === 0n ? Math.min(leftMs, LOADING_CHECK_MS) : leftMs;
      running.timer = setTimeout(() => this.#checkTime(slot, sentAt), Math.ceil(checkInMs));
      return;
    }
    // A batch that has not begun although its thread has waits behind another slot's job.
    const late = startedAt === 0n ? longestRunning(slot.thread) : slot;
    this.#abandon(
      slot.thread,
      late === null ? { kind: 'crashed', reason: 'exit' } : { kind: 'timeout' },
      late,
    );
    void slot.thread.worker.terminate();
  }

  #timeLeft(startedAt: bigint, sentAt: bigint): number {
    const { startLimitMs, wallLimitMs } = this.#options;
    return startedAt === 0n ? startLimitMs - elapsedMs(sentAt) : wallLimitMs - elapsedMs(startedAt);
  }

  /** Takes a thread out of service: the job that `late` ran gets `broken`, all others wait again. */
  #abandon(thread: Thread<Value>, broken: Broken, late: Slot<Value> | null = longestRunning(thread)): void {
    if (!this.#threads.delete(thread)) return;
    if (broken.kind === 'timeout' || broken.reason !== 'closed') threadEnded.publish({ kind: 'isolated' });
    const hasBegun = late !== null || (broken.kind === 'crashed' && broken.reason === 'memory');
    // Without a slot that has begun, the first is the one that had to load the thread.
    const offending = late ?? thread.slots.find((slot) => slot.running !== null);
    for (const slot of thread.slots) {
      const { running } = slot;
      if (running === null) continue;
      clearTimeout(running.timer);
      slot.running = null;
      if (hasBegun) this.#returnJobs(running, slot === offending ? slot : null, broken);
      else this.#rejectJobs(running, thread.fault);
    }
    this.#dispatchSoon();
  }

  /** The jobs of a batch wait again, but for the one that ran in the slot that broke a limit. */
  #returnJobs({ jobs, owner }: Running<Value>, offending: Slot<Value> | null, broken: Broken): void {
    const at = offending === null ? -1 : Number(Atomics.load(offending.progress, 0));
    const offender = offending === null ? undefined : (jobs[at] ?? jobs.at(-1));
    this.#queue.putBack(
      owner,
      jobs.filter((job) => job !== offender),
    );
    if (offender === undefined) return;
    this.#penalties.add(offender.tag, broken);
    offender.resolve(broken);
  }

  #rejectJobs({ jobs }: Running<Value>, cause: Error | null): void {
    const error = new Error(`the worker ${this.#options.entry.pathname} did not start`, { cause });
    for (const job of jobs) job.reject(error);
  }

  #finish(slot: Slot<Value>, answers: Answer[]): void {
    const { running } = slot;
    if (running === null) return;
    clearTimeout(running.timer);
    slot.running = null;
    if (runningIn(slot.thread).length === 0) slot.thread.worker.unref();
    this.#queue.putBack(running.owner, running.jobs.slice(answers.length));
    for (const [index, answer] of answers.entries()) {
      const job = running.jobs[index];
      if (answer.kind === 'done') job?.resolve({ kind: 'done', value: answer.value as Value });
      else job?.reject(Object.assign(new Error(answer.message), { stack: answer.stack }));
    }
    this.#dispatchSoon();
  }

  /** Starts a thread; returns its first slot. */
  #openThread(): Slot<Value> {
    const { worker, progress } = startThread(this.#options);
    const thread: Thread<Value> = { worker, slots: [], fault: null };
    const first: Slot<Value> = { thread, index: 0, progress: progressOf(progress, 0), running: null };
    thread.slots.push(first);
    for (let index = 1; index < this.#options.slots; index += 1) {
      thread.slots.push({ thread, index, progress: progressOf(progress, index), running: null });
    }
    let broken: Broken = { kind: 'crashed', reason: 'exit' };
    this.#threads.add(thread);
    worker.on('message', ({ slot: index, answers }: Answers) => {
      const slot = thread.slots[index];
      if (slot !== undefined) this.#finish(slot, answers);
    });
    worker.on('error', (error: Error & { code?: string }) => {
      thread.fault = error;
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') broken = { kind: 'crashed', reason: 'memory' };
    });
    worker.on('exit', () => this.#abandon(thread, broken));
    return first;
  }
}

function runningIn<Value>({ slots }: Thread<Value>): Running<Value>[] {
  return slots.flatMap(({ running }) => (running === null ? [] : [running]));
}

/** The slot whose job began first; null when none has begun. */
function longestRunning<Value>({ slots }: Thread<Value>): Slot<Value> | null {
  const begun = slots.filter(({ running, progress }) => running !== null && Atomics.load(progress, 1) !== 0n);
  const since = ({ progress }: Slot<Value>): bigint => Atomics.load(progress, 1);
  return begun.sort((a, b) => (since(a) < since(b) ? -1 : 1))[0] ?? null;
}

function startThread({ entry, memoryLimitMb, slots }: Required<PoolOptions>): {
  worker: Worker;
  progress: SharedArrayBuffer;
} {
  const shared = new SharedArrayBuffer(PROGRESS_BYTES * slots);
  const worker = new Worker(entry, {
    workerData: { progress: shared },
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    // The process's environment holds secrets, and its flags are not meant for a worker.
    env: {},
    execArgv: [],
  });
  return { worker, progress: shared };
}

function elapsedMs(since: bigint): number {
  return Number(process.hrtime.bigint() - since) / 1e6;
}

interface Penalties {
  add(tag: JobTag, broken: Broken): void;
  of(tag: JobTag): Broken | null;
  isSlow(owner: string): boolean;
}

/** Remembers for `penaltyMs` which jobs broke a limit, and whose they were. */
function createPenalties(penaltyMs: number): Penalties {
  const jobs = new Map<string, { broken: Broken; since: bigint }>();
  const owners = new Map<string, bigint>();
  const idOf = ({ owner, key }: JobTag): string => JSON.stringify([owner, key()]);
  const isOver = (since: bigint): boolean => elapsedMs(since) > penaltyMs;
  return {
    add: (tag, broken) => {
      const since = process.hrtime.bigint();
      for (const [id, job] of jobs) if (isOver(job.since)) jobs.delete(id);
      for (const [owner, at] of owners) if (isOver(at)) owners.delete(owner);
      jobs.set(idOf(tag), { broken, since });
      owners.set(tag.owner, since);
    },
    of: (tag) => {
      if (!owners.has(tag.owner)) return null;
      const job = jobs.get(idOf(tag));
      return job === undefined || isOver(job.since) ? null : job.broken;
    },
    isSlow: (owner) => {
      const since = owners.get(owner);
      return since !== undefined && !isOver(since);
    },
  };
}
