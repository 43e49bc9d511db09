// The German texts of suppressions.ts.
import type { SuppressionsTexts } from '../suppressions.js';
import type { Translated } from '../texts.js';

export const de: Translated<SuppressionsTexts> = {
  title: 'Sperrliste',
  about: 'Adressen, an die Mailkeel nie sendet. Die Liste wird vor jedem Versand geprüft.',
  emptyTitle: 'Noch keine Sperren',
  empty: 'Hard Bounces, Beschwerden und Abmeldungen werden automatisch hinzugefügt.',
  search: 'Adressen suchen',
  address: 'Adresse',
  reason: 'Grund',
  scope: 'Geltung',
  everyone: 'Workspace',
  subTenant: 'Mandant',
  subTenantHint: 'Leer lassen für den ganzen Workspace.',
  cause: 'Nachricht',
  causeLink: 'Nachricht anzeigen',
  since: 'Hinzugefügt',
  sentences: {
    bounce: 'Eine Nachricht an diese Adresse war dauerhaft unzustellbar.',
    complaint: 'Der Empfänger hat eine Nachricht als Spam gemeldet.',
    unsubscribe: 'Der Empfänger hat sich abgemeldet.',
    manual: 'Manuell hinzugefügt.',
  },
  add: 'Adresse hinzufügen',
  addHint: 'Mailkeel sendet nicht mehr an diese Adresse.',
  added: 'Adresse gesperrt.',
  check: 'Adresse prüfen',
  checkButton: 'Prüfen',
  checkFree: (email) => `${email} ist nicht gesperrt.`,
  checkFound: (email, reason) => `${email} ist gesperrt: ${reason}`,
  checkOnly: (email) => `${email} ist nur für diese Mandanten gesperrt:`,
  checkAlso: 'Auch gesperrt für:',
  checkScope: { workspace: 'Gilt für den ganzen Workspace.', sub_tenant: 'Gilt für diesen Mandanten.' },
  import: 'Importieren',
  importTitle: 'Sperren importieren',
  importHint:
    'CSV mit den Spalten email, reason und sub_tenant_id oder eine Adresse pro Zeile. Gründe: bounce, complaint, unsubscribe, manual.',
  importText: 'Oder Adressen einfügen',
  importDone: 'Import abgeschlossen',
  importCounts: {
    total: 'Einträge',
    created: 'Hinzugefügt',
    existing: 'Bereits gesperrt',
    failed: 'Abgelehnt',
  },
  importLine: (line) => `Zeile ${line}`,
  export: 'CSV exportieren',
  remove: 'Entfernen',
  removeTitle: 'Sperre entfernen?',
  removeWarnings: {
    bounce:
      'Eine Nachricht an diese Adresse war dauerhaft unzustellbar. Existiert die Adresse weiterhin nicht, schadet der Versand Ihrer Reputation.',
    complaint:
      'Der Empfänger hat Ihre Nachricht als Spam gemeldet. Eine weitere Beschwerde schadet Ihrer Reputation.',
    unsubscribe: 'Der Empfänger hat sich abgemeldet. Entfernen Sie die Sperre nur mit seiner Einwilligung.',
    manual: 'Diese Adresse wurde manuell hinzugefügt.',
  },
  removeHint: (email) => `Mailkeel sendet wieder an ${email}.`,
  removed: 'Sperre entfernt.',
};
