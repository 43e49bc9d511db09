// The German texts of new-message.ts.
import type { NewMessageTexts } from '../new-message.js';
import type { Translated } from '../texts.js';

export const de: Translated<NewMessageTexts> = {
  title: 'Neue Nachricht',
  about: 'Eine Mail an einen oder wenige Empfänger. Viele Mails sendet man per API, SMTP oder als Kampagne.',
  back: 'Nachrichten',
  from: 'Von',
  fromHint: 'Ein bestätigter Absender; ohne Angabe der übliche. In der Sandbox geht jede Adresse.',
  to: 'An',
  toHint: 'Eine Adresse oder mehrere, durch Kommas getrennt.',
  toSandbox:
    'In der Sandbox entscheidet der Teil vor dem @, was geschieht: bounced@, complained@, deferred@ …',
  subject: 'Betreff',
  subjectHint: 'Kann fehlen, wenn die Vorlage einen hat.',
  content: 'Inhalt',
  kinds: { text: 'Text', html: 'HTML', template: 'Vorlage' },
  text: 'Text',
  html: 'HTML',
  template: 'Vorlage',
  variables: 'Variablen (JSON)',
  variablesHint: 'Füllen die Platzhalter. Felder eines gespeicherten Kontakts kommen von selbst dazu.',
  variablesWrong: 'Das ist kein JSON-Objekt.',
  type: 'Art',
  typeHint: 'Marketing- und Vertriebsmails gehen nur an Kontakte und tragen eine Fußzeile mit Abmeldung.',
  sendAt: 'Senden um',
  sendAtHint: 'Leer: sofort.',
  tags: 'Schlagworte',
  tagsHint: 'Durch Kommas getrennt.',
  send: 'Senden',
  schedule: 'Planen',
  preview: 'Vorschau',
};
