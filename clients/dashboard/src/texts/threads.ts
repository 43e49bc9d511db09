// Texts of threads.
import type { HiddenTextKind } from '@mailkeel/sdk';
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
  unread: 'Unread',
  markRead: 'Mark as read',
  markUnread: 'Mark as unread',
  read: 'Read',
  state: 'Unread or read',
  label: 'Label',
  labels: 'Labels',
  labelsHint: 'Lower-case letters, digits, hyphens and underscores',
  saveLabels: 'Save labels',
  labelsSaved: 'Labels saved.',
  inbox: 'Inbox',
  inboxes: {
    title: 'Inboxes',
    about:
      'Addresses on your inbound domains, each with its own threads. Programs and AI agents create them with the API.',
    none: 'No inboxes yet. Create one for an address on a verified inbound domain.',
    address: 'Address',
    name: 'Name',
    threads: 'Threads',
    create: 'Create inbox',
    addressHint: 'On an inbound domain such as reply.example.com',
    made: 'Inbox created.',
    remove: 'Delete inbox',
    removeTitle: (address: string) => `Delete the inbox ${address}?`,
    removeAbout:
      'Messages and threads are kept, and the address still receives mail. Its policy key no longer applies.',
  },
  risk: {
    title: 'Check before you trust this message',
    firstTime: 'First message from this sender',
    hidden: (count: number) => (count === 1 ? 'Hidden text' : `${count} hidden texts`),
    links: (count: number) =>
      count === 1 ? 'A link names another domain' : `${count} links name another domain`,
    link: (text: string, target: string) => `${text} leads to ${target}`,
    files: (count: number) => (count === 1 ? 'An executable attachment' : `${count} executable attachments`),
    inside: (file: string, archive: string) => `${file} in ${archive}`,
    noName: '(no name)',
    kinds: {
      not_displayed: 'Not displayed',
      too_small: 'Too small to read',
      same_color: 'In the background color',
      off_screen: 'Off screen',
      invisible_characters: 'Invisible characters',
    } satisfies Record<HiddenTextKind, string>,
  },
  authentication: {
    pass: 'authenticated',
    other: 'not authenticated (sender may be spoofed)',
  },
};

export const threads = catalogue(en, () => import('./de/threads.js').then(({ de }) => de));
export type ThreadsTexts = typeof en;
