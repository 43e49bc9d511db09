// Entry of the threads in which tenants' templates are compiled and rendered.

import { serveJobs } from '../../lib/threads/index.js';
import { createRenderWork, type Job } from './render-work.js';

const work = createRenderWork();
// The renderer on the other side of the port only sends jobs.
serveJobs((job) => work(job as Job));
