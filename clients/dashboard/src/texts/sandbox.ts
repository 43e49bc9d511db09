// Texts of the sandbox inbox.
import { catalogue } from './texts.js';

const en = {
  title: 'Sandbox inbox',
  about: 'Where mail of test keys ends. You are every recipient: read it, and decide what becomes of it.',
  list: 'Mail in the sandbox',
  search: 'Recipient or subject',
  emptyTitle: 'The inbox is empty',
  empty: 'Send a message with the test key; it appears here at once.',
  send: 'Send a message',
  choose: 'Choose a mail to read it',
  open: 'Open the message',
  noSubject: '(no subject)',
  to: (address: string) => `to ${address}`,
  older: 'Older mail',
  addresses: 'Addresses that do something',
  addressesHint:
    'The part before the @ decides, at any domain. What follows a + is yours: bounced+anna@example.com.',
  address: 'Address',
  does: 'What happens',
  default: 'every other address',
  after: (duration: string) => `after ${duration}`,
};

export const sandbox = catalogue(en, () => import('./de/sandbox.js').then(({ de }) => de));
export type SandboxTexts = typeof en;
