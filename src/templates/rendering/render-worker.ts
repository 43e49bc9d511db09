// Entry of the threads in which tenants' templates are compiled and rendered.

import { serveJobs } from '../../lib/threads/index.js';
import { createRenderWork, type Job } from './render-work.js';

const work = createRenderWork();
// The other side of the port is the renderer, which sends nothing else.
serveJobs((job) => work(job as Job));
