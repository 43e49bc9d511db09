// The German texts of messages.ts.
import type { MessagesTexts } from '../messages.js';
import type { Translated } from '../texts.js';

export const de: Translated<MessagesTexts> = {
  title: 'Nachrichten',
  about: 'Alle gesendeten, wartenden und empfangenen Nachrichten dieser Umgebung.',
  newMessage: 'Neue Nachricht',
  recipient: 'Empfänger',
  subject: 'Betreff',
  noSubject: '(kein Betreff)',
  from: 'Von',
  type: 'Typ',
  tag: 'Schlagwort',
  search: 'Empfänger oder Betreff',
  emptyTitle: 'Noch keine Nachrichten',
  empty:
    'Senden Sie Ihre erste Nachricht. In der Sandbox brauchen Sie keine Domain, und nichts wird zugestellt.',
  created: 'Zeit',
};
