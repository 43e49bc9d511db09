// Texts of the list of messages and of one message.
import { catalogue } from './texts.js';

const en = {
  title: 'Messages',
  about: 'All messages sent, queued or received in this environment.',
  newMessage: 'New message',
  recipient: 'Recipient',
  subject: 'Subject',
  noSubject: '(no subject)',
  from: 'From',
  type: 'Type',
  tag: 'Tag',
  search: 'Recipient or subject',
  emptyTitle: 'No messages yet',
  empty: 'Send your first message. In the sandbox you don’t need a domain, and nothing is delivered.',
  created: 'Time',
};

export const messages = catalogue(en, () => import('./de/messages.js').then(({ de }) => de));
export type MessagesTexts = typeof en;
