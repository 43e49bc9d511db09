// Texts of the sandbox inbox.
import { catalogue } from './texts.js';

const en = {
  title: 'Sandbox inbox',
  about: 'Messages sent with test keys. Read them and simulate deliveries, bounces and replies.',
  list: 'Sandbox messages',
  search: 'Recipient or subject',
  emptyTitle: 'Inbox is empty',
  empty: 'Messages sent with a test key appear here immediately.',
  send: 'Send message',
  choose: 'Select a message to read it',
  open: 'Open message',
  noSubject: '(no subject)',
  to: (address: string) => `to ${address}`,
  older: 'Older messages',
  addresses: 'Test addresses',
  addressesHint:
    'The part before the @ determines the outcome, on any domain. Add a + suffix to tell recipients apart: bounced+anna@example.com.',
  address: 'Address',
  does: 'Outcome',
  default: 'any other address',
  after: (duration: string) => `after ${duration}`,
};

export const sandbox = catalogue(en, () => import('./de/sandbox.js').then(({ de }) => de));
export type SandboxTexts = typeof en;
