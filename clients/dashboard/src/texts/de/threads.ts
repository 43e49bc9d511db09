// The German texts of threads.ts.
import type { ThreadsTexts } from '../threads.js';
import type { Translated } from '../texts.js';

export const de: Translated<ThreadsTexts> = {
  title: 'Unterhaltungen',
  about: 'Ihre Mails und die Antworten darauf, wie Menschen sie sehen.',
  subject: 'Betreff',
  with: 'Mit',
  last: 'Letzte Nachricht',
  search: 'Betreff oder Adresse',
  emptyTitle: 'Noch keine Unterhaltungen',
  empty:
    'Eine Unterhaltung beginnt, wenn jemand auf Ihre Mail antwortet. In der Sandbox wählen Sie bei einer Nachricht „Beantworten“.',
  toSandbox: 'Sandbox-Posteingang',
  noSubject: '(ohne Betreff)',
  close: 'Unterhaltung schließen',
  reopen: 'Wieder öffnen',
  older: (count) => `Alle ${count} Nachrichten dieser Unterhaltung`,
  you: 'Sie',
  auto: 'automatisch beantwortet',
  quoted: 'Zitierter Text',
  message: 'Nachricht',
  reply: 'Ihre Antwort',
  send: 'Antwort senden',
  sent: 'Die Antwort ist unterwegs.',
  authentication: {
    pass: 'authentifiziert',
    other: 'nicht authentifiziert: Der Absender kann ein anderer sein',
  },
};
