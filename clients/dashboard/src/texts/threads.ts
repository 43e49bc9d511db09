// Texts of threads.
import { catalogue } from './texts.js';

const en = {
  title: 'Threads',
  about: 'Conversations that started with a reply to your email.',
  subject: 'Subject',
  with: 'Participants',
  last: 'Last message',
  search: 'Subject or address',
  emptyTitle: 'No threads yet',
  empty:
    'A thread starts when someone replies to your email. To try it in the sandbox, open a message and simulate a reply.',
  toSandbox: 'Open sandbox inbox',
  noSubject: '(no subject)',
  close: 'Close thread',
  reopen: 'Reopen thread',
  older: (count: number) => `Show all ${count} messages`,
  you: 'You',
  auto: 'automatic reply',
  quoted: 'Quoted text',
  message: 'Message',
  reply: 'Your reply',
  send: 'Send reply',
  sent: 'Reply sent.',
  authentication: {
    pass: 'authenticated',
    other: 'not authenticated (sender may be spoofed)',
  },
};

export const threads = catalogue(en, () => import('./de/threads.js').then(({ de }) => de));
export type ThreadsTexts = typeof en;
