// The German texts of usage.ts.
import type { Translated } from '../texts.js';
import type { UsageTexts } from '../usage.js';

export const de: Translated<UsageTexts> = {
  title: 'Nutzung',
  about:
    'Von Ihrer Organisation gesendete Nachrichten im Vergleich zum Tarif. Sandbox-Nachrichten zählen nicht.',
  plan: (name) => `Tarif: ${name}`,
  plans: { unlimited: 'unbegrenzt' },
  day: 'Heute',
  month: 'Dieser Monat',
  resets: (time) => `Wird ${time} zurückgesetzt`,
  all: 'Alle Nachrichten',
  noLimit: 'kein Limit',
  ofWhich: (count, workspace) => `${count} aus ${workspace}`,
  meter: (name, used, limit) => `${name}: ${used} von ${limit} verbraucht`,
  of: (used, limit) => `${used} von ${limit}`,
  near: 'fast aufgebraucht',
  out: 'Limit erreicht: neue Nachrichten werden bis zum Zurücksetzen abgelehnt',
  upgrade: 'Um den Tarif zu ändern, bitten Sie den Betreiber, mailkeel admin plan auszuführen.',
  keys: 'Nachrichten nach API-Schlüssel',
  keysAbout: 'Dieser Workspace, pro Tag (UTC).',
  key: 'API-Schlüssel',
  environment: 'Umgebung',
  lastUsed: 'Zuletzt verwendet',
  messages: 'Nachrichten',
  chart: 'Nachrichten nach API-Schlüssel und Tag',
  others: 'Andere Schlüssel',
  none: 'Keine mit API-Schlüsseln gesendeten Nachrichten in diesem Zeitraum',
  noneHint: 'Mit einem API-Schlüssel gesendete Nachrichten werden hier gezählt.',
};
