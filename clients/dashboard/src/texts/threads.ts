// Texts of threads.
import { catalogue } from './texts.js';

const en = {
  title: 'Threads',
  about: 'Conversations: your mail and the replies to it, as people see them.',
  subject: 'Subject',
  with: 'With',
  last: 'Last message',
  search: 'Subject or address',
  emptyTitle: 'No threads yet',
  empty:
    'A thread begins when somebody answers your mail. In the sandbox, choose “Reply to it” on a message.',
  toSandbox: 'Sandbox inbox',
  noSubject: '(no subject)',
  close: 'Close thread',
  reopen: 'Open again',
  older: (count: number) => `All ${count} messages of this thread`,
  you: 'You',
  auto: 'answered by a machine',
  quoted: 'Quoted text',
  message: 'Message',
  reply: 'Your reply',
  send: 'Send reply',
  sent: 'The reply is on its way.',
  authentication: {
    pass: 'authenticated',
    other: 'not authenticated: the sender may be another',
  },
};

export const threads = catalogue(en, () => import('./de/threads.js').then(({ de }) => de));
export type ThreadsTexts = typeof en;
