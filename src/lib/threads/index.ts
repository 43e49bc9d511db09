export { serveJobs } from './bounded-worker-port.js';
export { type BoundedPool, type Broken, createBoundedPool } from './bounded-worker.js';
export { threadEnded } from './thread-ends.js';
