// Entry of the threads in which received mail is parsed and authenticated.
import { serveJobs } from '../../lib/threads/index.js';
import { buffersOf, createMailWork, type MailAnswer, type MailJob } from './mail-work.js';

const work = createMailWork();
// The other side of the port is the mail reader, which sends nothing else.
serveJobs(
  (job) => work(job as MailJob),
  (answer) => buffersOf(answer as MailAnswer),
);
