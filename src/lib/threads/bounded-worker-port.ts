// Serves the worker's side of a bounded pool, and defines the messages between both sides.

import { parentPort, workerData } from 'node:worker_threads';

/**
 * Shared state of a slot's batch, which the pool reads directly: [0] the index of the running job (the number
 * of jobs when all are done), [1] its start in `process.hrtime` nanoseconds, 0 before the worker has begun.
 */
export type Progress = BigInt64Array;
export type Batch = { slot: number; jobs: unknown[]; sliceMs: number };
/** One answer per finished job; fewer than the jobs if the time slice was used up. */
export type Answers = { slot: number; answers: Answer[] };
export type Answer = { kind: 'done'; value: unknown } | { kind: 'fault'; message: string; stack: string };

/** Size of one slot's state. */
export const PROGRESS_BYTES = 16;

export function readProgress(shared: SharedArrayBuffer, slot: number): Progress {
  return new BigInt64Array(shared, slot * PROGRESS_BYTES, PROGRESS_BYTES / BigInt64Array.BYTES_PER_ELEMENT);
}

/**
 * Runs the pool's jobs, one at a time per slot. `work` may return a promise, and its errors count as
 * internal. `buffersOf` names the buffers of an answer to transfer instead of copying; each may belong to one
 * answer only, and must not be used afterwards.
 */
export function serveJobs(
  work: (job: unknown) => unknown,
  buffersOf: (value: unknown) => ArrayBuffer[] = () => [],
): void {
  if (parentPort === null) throw new Error('serveJobs runs in a worker thread only');
  const port = parentPort;
  const shared = (workerData as { progress: SharedArrayBuffer }).progress;
  const serve = async ({ slot, jobs, sliceMs }: Batch): Promise<void> => {
    const progress = readProgress(shared, slot);
    const answers: Answer[] = [];
    const sliceEnd = process.hrtime.bigint() + BigInt(Math.round(sliceMs * 1e6));
    for (const [index, job] of jobs.entries()) {
      const now = process.hrtime.bigint();
      if (index > 0 && now > sliceEnd) break;
      // The time is stored first, so that a reader of the new index never sees the previous job's time.
      Atomics.store(progress, 1, now);
      Atomics.store(progress, 0, BigInt(index));
      const begun = begin(work, job);
      // Awaiting a value that is not a promise would cost each job a turn of the event loop.
      answers.push(begun instanceof Promise ? await begun : begun);
    }
    const reply: Answers = { slot, answers };
    const moved = answers.flatMap((answer) => (answer.kind === 'done' ? buffersOf(answer.value) : []));
    Atomics.store(progress, 0, BigInt(jobs.length));
    port.postMessage(reply, moved);
  };
  port.on('message', (batch: Batch) => void serve(batch));
}

function begin(work: (job: unknown) => unknown, job: unknown): Answer | Promise<Answer> {
  try {
    const value = work(job);
    return value instanceof Promise ? value.then(done, fault) : done(value);
  } catch (error) {
    return fault(error);
  }
}

function done(value: unknown): Answer {
  return { kind: 'done', value };
}

function fault(error: unknown): Answer {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'fault', message, stack };
}
