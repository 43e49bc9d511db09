export { serveJobs } from './bounded-worker-port.js';
export { type BoundedPool, type Broken, createBoundedPool, threadEnded } from './bounded-worker.js';
