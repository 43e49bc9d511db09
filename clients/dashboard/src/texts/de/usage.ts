// The German texts of usage.ts.
import type { Translated } from '../texts.js';
import type { UsageTexts } from '../usage.js';

export const de: Translated<UsageTexts> = {
  title: 'Verbrauch',
  about:
    'Was die ganze Organisation von dem gesendet hat, was der Tarif erlaubt. Mail der Sandbox zählt nicht.',
  plan: (name) => `Tarif: ${name}`,
  plans: { unlimited: 'ohne Grenze' },
  day: 'Dieser Tag',
  month: 'Dieser Monat',
  resets: (time) => `Beginnt neu ${time}`,
  all: 'Alle Mails',
  noLimit: 'ohne Grenze',
  ofWhich: (count, workspace) => `davon ${count} aus ${workspace}`,
  meter: (name, used, limit) => `${name}: ${used} von ${limit} verbraucht`,
  of: (used, limit) => `${used} von ${limit}`,
  near: 'fast verbraucht',
  out: 'verbraucht: Weiteres wird bis zum Neubeginn abgelehnt',
  upgrade: 'Wer die Appliance betreibt, gibt einer Organisation ihren Tarif: mailkeel admin plan.',
  keys: 'Nachrichten nach API-Schlüssel',
  keysAbout: 'Von diesem Workspace, nach Tagen in UTC.',
  key: 'API-Schlüssel',
  environment: 'Umgebung',
  lastUsed: 'Zuletzt benutzt',
  messages: 'Nachrichten',
  chart: 'Nachrichten nach API-Schlüssel und Tag',
  others: 'Andere Schlüssel',
  none: 'In diesen Tagen keine Nachrichten mit einem Schlüssel',
  noneHint: 'Senden Sie mit einem Schlüssel, und seine Nachrichten werden hier gezählt.',
};
