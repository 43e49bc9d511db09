// A worker for the tests of the pool: does as each job says.
import { threadId } from 'node:worker_threads';

import { serveJobs } from '../../dist/runtime/bounded-worker-port.js';

serveJobs((job) => {
  if (job.spinMs !== undefined) {
    const end = performance.now() + job.spinMs;
    while (performance.now() < end);
  }
  if (job.eat) {
    const eaten = [];
    for (;;) eaten.push(new Array(100_000).fill({}).map(() => ({ a: 1 })));
  }
  if (job.exit) process.exit(3);
  if (job.fail) throw new Error('our own mistake');
  return { id: job.id, thread: threadId, env: Object.keys(process.env).length };
});
