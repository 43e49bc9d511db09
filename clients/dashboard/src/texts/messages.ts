// Texts of the list of messages and of one message.
import { catalogue } from './texts.js';

const en = {
  title: 'Messages',
  about: 'Every mail of this environment: what was sent, what waits, and what became of it.',
  newMessage: 'New message',
  recipient: 'Recipient',
  subject: 'Subject',
  noSubject: '(no subject)',
  from: 'From',
  type: 'Type',
  tag: 'Tag',
  search: 'Recipient or subject',
  emptyTitle: 'No messages yet',
  empty: 'Send the first one: in the sandbox it needs no domain and goes nowhere.',
  created: 'Time',
};

export const messages = catalogue(en, () => import('./de/messages.js').then(({ de }) => de));
export type MessagesTexts = typeof en;
