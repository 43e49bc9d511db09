// The worker's side of a bounded pool, and the messages between the two sides.

import { parentPort, workerData } from 'node:worker_threads';

/**
 * What the pool sees of a batch without asking: [0] the index of the job that runs (the number of jobs when all are
 * through), [1] when it began, `process.hrtime` nanoseconds, 0 before the worker has begun.
 */
export type Progress = BigInt64Array;
export type Batch = { jobs: unknown[]; sliceMs: number };
/** One answer for each job done; fewer than the jobs when the time slice was used up. */
export type Answers = { answers: Answer[] };
export type Answer = { kind: 'done'; value: unknown } | { kind: 'fault'; message: string; stack: string };

export const PROGRESS_BYTES = 16;

/** Answers the pool's jobs, one after the other; `work` is synchronous, and what it throws is a fault of ours. */
export function serveJobs(work: (job: unknown) => unknown): void {
  if (parentPort === null) throw new Error('serveJobs runs in a worker thread only');
  const port = parentPort;
  const progress = new BigInt64Array((workerData as { progress: SharedArrayBuffer }).progress);
  port.on('message', ({ jobs, sliceMs }: Batch) => {
    const answers: Answer[] = [];
    const sliceEnd = process.hrtime.bigint() + BigInt(Math.round(sliceMs * 1e6));
    for (const [index, job] of jobs.entries()) {
      const now = process.hrtime.bigint();
      if (index > 0 && now > sliceEnd) break;
      // The time first: whoever reads the new index must not see the time of the job before.
      Atomics.store(progress, 1, now);
      Atomics.store(progress, 0, BigInt(index));
      answers.push(answer(work, job));
    }
    const reply: Answers = { answers };
    Atomics.store(progress, 0, BigInt(jobs.length));
    port.postMessage(reply);
  });
}

function answer(work: (job: unknown) => unknown, job: unknown): Answer {
  try {
    return { kind: 'done', value: work(job) };
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    return { kind: 'fault', message, stack };
  }
}
