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
  unread: 'Ungelesen',
  markRead: 'Als gelesen markieren',
  markUnread: 'Als ungelesen markieren',
  read: 'Gelesen',
  state: 'Ungelesen oder gelesen',
  label: 'Label',
  labels: 'Labels',
  labelsHint: 'Kleinbuchstaben, Ziffern, Binde- und Unterstriche',
  saveLabels: 'Labels speichern',
  labelsSaved: 'Labels gespeichert.',
  risk: {
    title: 'Prüfen Sie diese Nachricht, bevor Sie ihr vertrauen',
    firstTime: 'Erste Nachricht dieses Absenders',
    hidden: (count) => (count === 1 ? 'Versteckter Text' : `${count} versteckte Texte`),
    links: (count) =>
      count === 1 ? 'Ein Link nennt eine andere Domain' : `${count} Links nennen eine andere Domain`,
    link: (text, target) => `${text} führt zu ${target}`,
    files: (count) => (count === 1 ? 'Ein ausführbarer Anhang' : `${count} ausführbare Anhänge`),
    inside: (file, archive) => `${file} in ${archive}`,
    noName: '(ohne Namen)',
    kinds: {
      not_displayed: 'Nicht angezeigt',
      too_small: 'Zu klein zum Lesen',
      same_color: 'In der Farbe des Hintergrunds',
      off_screen: 'Außerhalb des Sichtbaren',
      invisible_characters: 'Unsichtbare Zeichen',
    },
  },
  authentication: {
    pass: 'authentifiziert',
    other: 'nicht authentifiziert (evtl. gefälscht)',
  },
};
