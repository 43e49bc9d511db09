// The German texts of threads.ts.
import type { ThreadsTexts } from '../threads.js';
import type { Translated } from '../texts.js';

export const de: Translated<ThreadsTexts> = {
  title: 'Unterhaltungen',
  about: 'Unterhaltungen, die mit einer Antwort auf Ihre E-Mails begannen.',
  subject: 'Betreff',
  with: 'Teilnehmer',
  last: 'Letzte Nachricht',
  search: 'Betreff oder Adresse',
  emptyTitle: 'Noch keine Unterhaltungen',
  empty:
    'Eine Unterhaltung beginnt, wenn jemand auf Ihre E-Mail antwortet. Um es in der Sandbox auszuprobieren, öffnen Sie eine Nachricht und simulieren Sie eine Antwort.',
  toSandbox: 'Sandbox-Posteingang öffnen',
  noSubject: '(kein Betreff)',
  close: 'Unterhaltung schließen',
  reopen: 'Unterhaltung wieder öffnen',
  older: (count) => `Alle ${count} Nachrichten anzeigen`,
  you: 'Sie',
  auto: 'automatische Antwort',
  quoted: 'Zitierter Text',
  message: 'Nachricht',
  reply: 'Ihre Antwort',
  send: 'Antwort senden',
  sent: 'Antwort gesendet.',
  authentication: {
    pass: 'authentifiziert',
    other: 'nicht authentifiziert (Absender möglicherweise gefälscht)',
  },
};
