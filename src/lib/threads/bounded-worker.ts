// Runs potentially hostile work in a pool of worker threads. Each job has a time limit and a memory limit,
// and a job that exceeds one only harms itself. Owners take turns, so that one owner's bad jobs don't stall
// the others'.

import { Worker } from 'node:worker_threads';

import {
  PROGRESS_BYTES,
  readProgress,
  type Answer,
  type Answers,
  type Batch,
  type Progress,
} from './bounded-worker-port.js';
import { createFactChannel, createFairQueue, type FairQueue } from '../concurrency/index.js';

/** Publishes worker threads that ended unexpectedly; each is replaced when there is work for it. */
export const threadEnded = createFactChannel<{ kind: 'delivery' | 'isolated' | 'reader' | 'telemetry' }>();

export type PoolOptions = {
  /** The worker's entry, which calls `serveJobs`. */
  entry: URL;
  size: number;
  /** Time limit of one job, including its waits for others but not its wait in the queue. */
  wallLimitMs: number;
  memoryLimitMb: number;
  /** Jobs that may wait; one owner may have half of them. */
  maxQueue: number;
  /** Time (ms) for which a job that exceeded a limit is refused, and its owner is served last. */
  penaltyMs?: number;
  /**
   * Jobs of one owner sent to a worker together, and the time of such a batch before others get their turn.
   */
  maxBatch?: number;
  sliceMs?: number;
  /**
   * Batches that a thread runs concurrently, for jobs that mostly wait. Default 1. A job that blocks its thread may also cost
   * another one its time.
   */
  slots?: number;
  /** Time for a thread to load. */
  startLimitMs?: number;
};

const DEFAULTS = { penaltyMs: 60_000, maxBatch: 8, sliceMs: 50, slots: 1, startLimitMs: 10_000 };

/**
 * `key` identifies an owner's job: a job with the key of one that exceeded a limit gets the same result
 * immediately. It is only called after a job of the owner has exceeded one.
 */
type JobTag = { owner: string; key: () => string };
export type Broken = { kind: 'timeout' } | { kind: 'crashed'; reason: 'memory' | 'exit' | 'closed' };
type JobResult<Value> = { kind: 'done'; value: Value } | Broken | { kind: 'busy' };

export interface BoundedPool<Job, Value> {
  /** Only rejects if the worker's own code failed or could not be loaded. */
  run: (job: Job, tag: JobTag) => Promise<JobResult<Value>>;
  /** Ends the threads; unfinished jobs end as `crashed`, reason `closed`. */
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
/** One of the batches that a thread runs concurrently. */
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
 * Creates a pool. Threads start with the first job and don't keep the process alive while idle. With one
 * thread, a bad job delays everyone by up to `wallLimitMs`. With more, one owner never holds all of them, and
 * neither do all recent offenders together.
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
  /** Threads that one owner may hold, and that all slow owners together may hold. */
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
    // After the current tick, so that jobs submitted together form one batch.
    queueMicrotask(() => {
      this.#isDispatching = false;
      while (!this.#isClosed && this.#dispatchOne());
    });
  }

  #dispatchOne(): boolean {
    if (this.#queue.waiting() === 0) return false;
    // Prefers threads with little work, and any thread to a new one.
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

  /** Takes the jobs that may run next in a thread; `null` stands for a thread to be started. */
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
      // A job that cannot be copied to a thread is the caller's mistake and must not end the process.
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
    // All jobs are done and their answers are on the way, so this thread is late.
    const isThrough = index >= running.jobs.length;
    const leftMs = isThrough ? this.#options.wallLimitMs : this.#timeLeft(startedAt, sentAt);
    if (leftMs > 0) {
      // A loading thread is checked often, because its first job may begin at any moment.
      const checkInMs = startedAt === 0n ? Math.min(leftMs, LOADING_CHECK_MS) : leftMs;
      running.timer = setTimeout(() => this.#checkTime(slot, sentAt), Math.ceil(checkInMs));
      return;
    }
    // A batch that has not begun in a started thread waits for another slot's job.
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

  /** Retires a thread. The job in slot `late` gets `broken`; all others are queued again. */
  #abandon(thread: Thread<Value>, broken: Broken, late: Slot<Value> | null = longestRunning(thread)): void {
    if (!this.#threads.delete(thread)) return;
    if (broken.kind === 'timeout' || broken.reason !== 'closed') threadEnded.publish({ kind: 'isolated' });
    const hasBegun = late !== null || (broken.kind === 'crashed' && broken.reason === 'memory');
    // If no slot has begun, the first one had to load the thread.
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

  /** Queues the jobs of a batch again, except the one that exceeded a limit. */
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

  /** Starts a thread and returns its first slot. */
  #openThread(): Slot<Value> {
    const { worker, progress } = startThread(this.#options);
    const thread: Thread<Value> = { worker, slots: [], fault: null };
    const first: Slot<Value> = { thread, index: 0, progress: readProgress(progress, 0), running: null };
    thread.slots.push(first);
    for (let index = 1; index < this.#options.slots; index += 1) {
      thread.slots.push({ thread, index, progress: readProgress(progress, index), running: null });
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

/** Returns the slot whose job began first; `null` if none has begun. */
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
    // The process's environment contains secrets, and its flags are not for workers.
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

/** Remembers for `penaltyMs` which jobs exceeded a limit, and their owners. */
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
