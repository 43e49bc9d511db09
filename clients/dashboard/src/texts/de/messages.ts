// The German texts of messages.ts.
import type { MessagesTexts } from '../messages.js';
import type { Translated } from '../texts.js';

export const de: Translated<MessagesTexts> = {
  title: 'Nachrichten',
  about: 'Jede Mail dieser Umgebung: was gesendet wurde, was wartet, und was daraus geworden ist.',
  newMessage: 'Neue Nachricht',
  recipient: 'Empfänger',
  subject: 'Betreff',
  noSubject: '(ohne Betreff)',
  from: 'Von',
  type: 'Art',
  tag: 'Schlagwort',
  search: 'Empfänger oder Betreff',
  emptyTitle: 'Noch keine Nachrichten',
  empty: 'Senden Sie die erste: In der Sandbox braucht sie keine Domain und geht nirgendwohin.',
  created: 'Zeit',
};
