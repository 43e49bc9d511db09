// The worker's side of a bounded pool, and the messages between the two sides.

import { parentPort, workerData } from 'node:worker_threads';

/**
 * The part of a slot's batch that the pool reads without asking: [0] the index of the job that runs (the number of jobs when all are
 * through), [1] when it began, `process.hrtime` nanoseconds, 0 before the worker has begun.
 */
export type Progress = BigInt64Array;
export type Batch = { slot: number; jobs: unknown[]; sliceMs: number };
/** One answer for each job done; fewer than the jobs when the time slice was used up. */
export type Answers = { slot: number; answers: Answer[] };
export type Answer = { kind: 'done'; value: unknown } | { kind: 'fault'; message: string; stack: string };

/** Of one slot. */
export const PROGRESS_BYTES = 16;

export function progressOf(shared: SharedArrayBuffer, slot: number): Progress {
  return new BigInt64Array(shared, slot * PROGRESS_BYTES, PROGRESS_BYTES / BigInt64Array.BYTES_PER_ELEMENT);
}

/**
 * Answers the pool's jobs, those of a slot one after the other: the next begins when the answer of the one before is there,
 * which may be a promise. An error of `work` is a fault of ours. `buffersOf` names the buffers of an answer that are moved
 * instead of copied; each may stand in one answer only, and must not be used afterwards.
 */
export function serveJobs(
  work: (job: unknown) => unknown,
  buffersOf: (value: unknown) => ArrayBuffer[] = () => [],
): void {
  if (parentPort === null) throw new Error('serveJobs runs in a worker thread only');
  const port = parentPort;
  const shared = (workerData as { progress: SharedArrayBuffer }).progress;
  const serve = async ({ slot, jobs, sliceMs }: Batch): Promise<void> => {
    const progress = progressOf(shared, slot);
    const answers: Answer[] = [];
    const sliceEnd = process.hrtime.bigint() + BigInt(Math.round(sliceMs * 1e6));
    for (const [index, job] of jobs.entries()) {
      const now = process.hrtime.bigint();
      if (index > 0 && now > sliceEnd) break;
      // The time first: whoever reads the new index must not see the time of the job before.
      Atomics.store(progress, 1, now);
      Atomics.store(progress, 0, BigInt(index));
      const begun = begin(work, job);
      // Work without a promise goes on at once: waiting for it would cost each job a turn of the queue.
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
