// Entry point of the threads that parse and authenticate received mail.
import { serveJobs } from '../../lib/threads/index.js';
import { transferableBuffers, createMailWork, type MailAnswer, type MailJob } from './mail-work.js';

const work = createMailWork();
// Only the mail reader sends messages to this port.
serveJobs(
  (job) => work(job as MailJob),
  (answer) => transferableBuffers(answer as MailAnswer),
);
