// A pool of worker threads for work that may be hostile: each job has a wall limit and a memory limit, a job that
// breaks one costs only itself, and owners take turns so that one owner's bad jobs do not stall the others'.

import { Worker } from 'node:worker_threads';

import {
  laneOf,
  PROGRESS_BYTES,
  type Answer,
  type Answers,
  type Batch,
  type Progress,
} from './bounded-worker-port.js';
import { createFairQueue } from './fair-queue.js';

export type PoolOptions = {
  /** The worker's entry, which calls `serveJobs`. */
  entry: URL;
  size: number;
  /** Longest that one job may run, its waiting in the queue not counted; waiting of its own, for an answer, is. */
  wallLimitMs: number;
  memoryLimitMb: number;
  /** Jobs that may wait; one owner may hold half of the places. */
  maxQueue: number;
  /** How long a job that broke a limit is refused, and its owner served after all others. */
  penaltyMs?: number;
  /** Jobs of one owner sent to a worker together, and how long such a batch may go on before others get their turn. */
  maxBatch?: number;
  sliceMs?: number;
  /**
   * Batches that one thread has under way at once, for jobs that mostly wait; default 1. A job that keeps its thread from
   * the others may cost one of them its time, too.
   */
  lanes?: number;
  /** Longest that a thread may take to load. */
  startLimitMs?: number;
};

/** `key` tells an owner's jobs apart: a job with the key of one that broke a limit gets the same answer at once. */
export type JobTag = { owner: string; key: string };
export type Broken = { kind: 'timeout' } | { kind: 'crashed'; reason: 'memory' | 'exit' | 'closed' };
export type JobResult<Value> = { kind: 'done'; value: Value } | Broken | { kind: 'busy' };

export type BoundedPool<Job, Value> = {
  /** Rejects only when the worker's own code failed or could not be loaded. */
  run: (job: Job, tag: JobTag) => Promise<JobResult<Value>>;
  /** Ends the threads; jobs not yet done end as `crashed`, reason `closed`. */
  close: () => Promise<void>;
};

type Pending<Value> = {
  job: unknown;
  tag: JobTag;
  resolve: (result: JobResult<Value>) => void;
  reject: (error: Error) => void;
};
type Running<Value> = { owner: string; isSlow: boolean; jobs: Pending<Value>[]; timer: NodeJS.Timeout };
/** A lane of a thread. */
type Slot<Value> = {
  thread: Thread<Value>;
  lane: number;
  progress: Progress;
  running: Running<Value> | null;
};
type Thread<Value> = { worker: Worker; slots: Slot<Value>[]; fault: Error | null };

const LOADING_CHECK_MS = 100;

/**
 * Threads start with the first job and do not keep the process alive while idle. With one thread a bad job still
 * delays everybody by up to `wallLimitMs`; with more, a single owner never holds all of them, nor do all the owners
 * that lately broke a limit.
 */
export function createBoundedPool<Job, Value>(options: PoolOptions): BoundedPool<Job, Value> {
  const { size, wallLimitMs, maxQueue, maxBatch = 8, sliceMs = 50, startLimitMs = 10_000 } = options;
  const { lanes = 1 } = options;
  const share = Math.max(1, size - 1);
  const queue = createFairQueue<Pending<Value>>({ total: maxQueue, perOwner: Math.ceil(maxQueue / 2) });
  const penalties = createPenalties(options.penaltyMs ?? 60_000);
  const threads = new Set<Thread<Value>>();
  let isDispatching = false;
  let isClosed = false;

  const dispatchSoon = (): void => {
    if (isDispatching) return;
    isDispatching = true;
    // After the current tick, so that jobs submitted together travel together.
    queueMicrotask(() => {
      isDispatching = false;
      while (!isClosed && dispatchOne());
    });
  };

  const dispatchOne = (): boolean => {
    if (queue.waiting() === 0) return false;
    // A thread that has little to do before one that has much, and those before a new one.
    const busy = [...threads].sort((a, b) => runningIn(a).length - runningIn(b).length);
    for (const thread of busy) {
      const idle = thread.slots.find((slot) => slot.running === null);
      const next = idle === undefined ? null : takeFor(thread);
      if (idle === undefined || next === null) continue;
      start(idle, next.owner, next.items);
      return true;
    }
    const next = threads.size < size ? takeFor(null) : null;
    if (next === null) return false;
    start(openThread(), next.owner, next.items);
    return true;
  };

  /** What may run next in a thread; null is one that is not there yet. */
  const takeFor = (thread: Thread<Value> | null): { owner: string; items: Pending<Value>[] } | null => {
    const others = [...threads].filter((other) => other !== thread).map(runningIn);
    const isHeldBy = (test: (running: Running<Value>) => boolean): number =>
      others.filter((running) => running.some(test)).length;
    const hasShare = (owner: string): boolean => isHeldBy((running) => running.owner === owner) < share;
    const slowHeld = isHeldBy((running) => running.isSlow);
    return (
      queue.take((owner) => hasShare(owner) && !penalties.isSlow(owner), maxBatch) ??
      queue.take((owner) => hasShare(owner) && slowHeld < share, 1)
    );
  };

  const start = (slot: Slot<Value>, owner: string, jobs: Pending<Value>[]): void => {
    Atomics.store(slot.progress, 0, 0n);
    Atomics.store(slot.progress, 1, 0n);
    const batch: Batch = { lane: slot.lane, jobs: jobs.map(({ job }) => job), sliceMs };
    const timer = setTimeout(() => checkTime(slot, process.hrtime.bigint()), wallLimitMs);
    slot.running = { owner, isSlow: penalties.isSlow(owner), jobs, timer };
    slot.thread.worker.ref();
    try {
      slot.thread.worker.postMessage(batch);
    } catch (error) {
      // What cannot be copied to a thread is the caller's mistake; it must not end the process.
      const cause = error instanceof Error ? error : new Error(String(error));
      settle(
        slot,
        jobs.map(() => ({ kind: 'fault', message: cause.message, stack: cause.stack ?? '' })),
      );
    }
  };

  const checkTime = (slot: Slot<Value>, sentAt: bigint): void => {
    const { running } = slot;
    if (running === null) return;
    const index = Number(Atomics.load(slot.progress, 0));
    const startedAt = Atomics.load(slot.progress, 1);
    // All done: the answers are on their way, and it was this thread that was late.
    const leftMs = index >= running.jobs.length ? wallLimitMs : timeLeft(startedAt, sentAt);
    if (leftMs > 0) {
      // A thread that still loads is looked at often: its first job may begin at any moment.
      const checkInMs = startedAt === 0n ? Math.min(leftMs, LOADING_CHECK_MS) : leftMs;
      running.timer = setTimeout(() => checkTime(slot, sentAt), Math.ceil(checkInMs));
      return;
    }
    // One that has not begun although its thread has waits behind another lane's job.
    const late = startedAt === 0n ? longestRunning(slot.thread) : slot;
    abandon(slot.thread, late === null ? { kind: 'crashed', reason: 'exit' } : { kind: 'timeout' }, late);
    void slot.thread.worker.terminate();
  };

  const timeLeft = (startedAt: bigint, sentAt: bigint): number =>
    startedAt === 0n ? startLimitMs - elapsedMs(sentAt) : wallLimitMs - elapsedMs(startedAt);

  /** Takes a thread out of service: the job that `late` ran gets `broken`, all others wait again. */
  const abandon = (
    thread: Thread<Value>,
    broken: Broken,
    late: Slot<Value> | null = longestRunning(thread),
  ): void => {
    if (!threads.delete(thread)) return;
    const hasBegun = late !== null || (broken.kind === 'crashed' && broken.reason === 'memory');
    // Without a lane that has begun, the first is the one that had to load the thread.
    const offending = late ?? thread.slots.find((slot) => slot.running !== null);
    for (const slot of thread.slots) {
      if (slot.running === null) continue;
      const { jobs, owner, timer } = slot.running;
      clearTimeout(timer);
      slot.running = null;
      if (!hasBegun) {
        const error = new Error(`the worker ${options.entry.pathname} did not start`, {
          cause: thread.fault,
        });
        for (const job of jobs) job.reject(error);
        continue;
      }
      const at = Number(Atomics.load(slot.progress, 0));
      const offender = slot === offending ? (jobs[at] ?? jobs.at(-1)) : undefined;
      queue.putBack(
        owner,
        jobs.filter((job) => job !== offender),
      );
      if (offender !== undefined) {
        penalties.add(offender.tag, broken);
        offender.resolve(broken);
      }
    }
    dispatchSoon();
  };

  const settle = (slot: Slot<Value>, answers: Answer[]): void => {
    const { running } = slot;
    if (running === null) return;
    clearTimeout(running.timer);
    slot.running = null;
    if (runningIn(slot.thread).length === 0) slot.thread.worker.unref();
    queue.putBack(running.owner, running.jobs.slice(answers.length));
    for (const [index, answer] of answers.entries()) {
      const job = running.jobs[index];
      if (answer.kind === 'done') job?.resolve({ kind: 'done', value: answer.value as Value });
      else job?.reject(Object.assign(new Error(answer.message), { stack: answer.stack }));
    }
    dispatchSoon();
  };

  /** Its first lane. */
  const openThread = (): Slot<Value> => {
    const { worker, progress } = startThread(options, lanes);
    const thread: Thread<Value> = { worker, slots: [], fault: null };
    const first: Slot<Value> = { thread, lane: 0, progress: laneOf(progress, 0), running: null };
    thread.slots.push(first);
    for (let lane = 1; lane < lanes; lane += 1) {
      thread.slots.push({ thread, lane, progress: laneOf(progress, lane), running: null });
    }
    let broken: Broken = { kind: 'crashed', reason: 'exit' };
    threads.add(thread);
    worker.on('message', ({ lane, answers }: Answers) => {
      const slot = thread.slots[lane];
      if (slot !== undefined) settle(slot, answers);
    });
    worker.on('error', (error: Error & { code?: string }) => {
      thread.fault = error;
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') broken = { kind: 'crashed', reason: 'memory' };
    });
    worker.on('exit', () => abandon(thread, broken));
    return first;
  };

  return {
    run: (job, tag) => {
      if (isClosed) return Promise.resolve({ kind: 'crashed', reason: 'closed' });
      const known = penalties.of(tag);
      if (known !== null) return Promise.resolve(known);
      return new Promise<JobResult<Value>>((resolve, reject) => {
        if (!queue.push(tag.owner, { job, tag, resolve, reject })) resolve({ kind: 'busy' });
        else dispatchSoon();
      });
    },
    close: async () => {
      isClosed = true;
      const held = [...threads].flatMap(runningIn);
      const running = held.flatMap(({ jobs }) => jobs);
      for (const { timer } of held) clearTimeout(timer);
      for (const { resolve } of [...running, ...queue.drain()])
        resolve({ kind: 'crashed', reason: 'closed' });
      const workers = [...threads].map(({ worker }) => worker);
      threads.clear();
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

function runningIn<Value>({ slots }: Thread<Value>): Running<Value>[] {
  return slots.flatMap(({ running }) => (running === null ? [] : [running]));
}

/** The lane whose job began first; null when none has begun. */
function longestRunning<Value>({ slots }: Thread<Value>): Slot<Value> | null {
  const begun = slots.filter(({ running, progress }) => running !== null && Atomics.load(progress, 1) !== 0n);
  const since = ({ progress }: Slot<Value>): bigint => Atomics.load(progress, 1);
  return begun.sort((a, b) => (since(a) < since(b) ? -1 : 1))[0] ?? null;
}

function startThread(
  { entry, memoryLimitMb }: PoolOptions,
  lanes: number,
): { worker: Worker; progress: SharedArrayBuffer } {
  const shared = new SharedArrayBuffer(PROGRESS_BYTES * lanes);
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

/** Remembers for a while which jobs broke a limit, and whose they were. */
function createPenalties(penaltyMs: number): {
  add: (tag: JobTag, broken: Broken) => void;
  of: (tag: JobTag) => Broken | null;
  isSlow: (owner: string) => boolean;
} {
  const jobs = new Map<string, { broken: Broken; since: bigint }>();
  const owners = new Map<string, bigint>();
  const idOf = ({ owner, key }: JobTag): string => JSON.stringify([owner, key]);
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
      const job = jobs.get(idOf(tag));
      return job === undefined || isOver(job.since) ? null : job.broken;
    },
    isSlow: (owner) => {
      const since = owners.get(owner);
      return since !== undefined && !isOver(since);
    },
  };
}
