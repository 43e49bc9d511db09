// A worker for the tests of the pool. It does what each job says.
import { threadId } from 'node:worker_threads';

import { serveJobs } from '../../../dist/lib/threads/bounded-worker-port.js';

const octetsOf = (value) => (value.octets === undefined ? [] : [value.octets.buffer]);

serveJobs((job) => {
  if (job.waitMs !== undefined) {
    return new Promise((resolve) => setTimeout(() => resolve({ id: job.id }), job.waitMs));
  }
  if (job.failLater) return Promise.reject(new Error('our own mistake, later'));
  if (job.throwBeside)
    setImmediate(() => {
      throw new Error('nobody catches this');
    });
  if (job.throwBeside || job.hang) return new Promise(() => undefined);
  if (job.octets !== undefined)
    return Promise.resolve({ id: job.id, octets: new Uint8Array(job.octets).fill(7) });
  if (job.spinMs !== undefined) {
    const end = performance.now() + job.spinMs;
    while (performance.now() < end);
  }
  // Holds the thread as a busy job does, without a core.
  if (job.blockMs !== undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, job.blockMs);
  if (job.eat) {
    const eaten = [];
    for (;;) eaten.push(new Array(100_000).fill({}).map(() => ({ a: 1 })));
  }
  if (job.exit) process.exit(3);
  if (job.fail) throw new Error('our own mistake');
  return { id: job.id, thread: threadId, env: Object.keys(process.env).length };
}, octetsOf);
