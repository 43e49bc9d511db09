// The German texts of new-message.ts.
import type { NewMessageTexts } from '../new-message.js';
import type { Translated } from '../texts.js';

export const de: Translated<NewMessageTexts> = {
  title: 'Neue Nachricht',
  about:
    'Senden Sie an einen oder wenige Empfänger. Für größere Mengen verwenden Sie API, SMTP oder eine Kampagne.',
  back: 'Nachrichten',
  from: 'Von',
  fromHint:
    'Muss verifiziert sein. Leer lassen, um den Standardabsender zu verwenden. In der Sandbox funktioniert jede Adresse.',
  to: 'An',
  toHint: 'Eine oder mehrere Adressen, durch Kommas getrennt.',
  toSandbox: 'In der Sandbox bestimmt der Teil vor dem @ das Ergebnis: bounced@, complained@, deferred@ …',
  subject: 'Betreff',
  subjectHint: 'Optional, wenn die Vorlage einen Betreff hat.',
  content: 'Inhalt',
  kinds: { text: 'Text', html: 'HTML', template: 'Vorlage' },
  text: 'Text',
  html: 'HTML',
  template: 'Vorlage',
  variables: 'Variablen (JSON)',
  variablesHint: 'Werte für Platzhalter. Felder gespeicherter Kontakte werden automatisch ergänzt.',
  variablesWrong: 'Geben Sie ein gültiges JSON-Objekt ein.',
  type: 'Typ',
  typeHint:
    'Marketing- und Vertriebsnachrichten gehen nur an Kontakte und enthalten einen Footer mit Abmeldelink.',
  sendAt: 'Senden um',
  sendAtHint: 'Leer lassen, um sofort zu senden.',
  tags: 'Schlagwörter',
  tagsHint: 'Durch Kommas getrennt.',
  send: 'Senden',
  schedule: 'Planen',
  preview: 'Vorschau',
};
