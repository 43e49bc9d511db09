// The German texts of suppressions.ts.
import type { SuppressionsTexts } from '../suppressions.js';
import type { Translated } from '../texts.js';

export const de: Translated<SuppressionsTexts> = {
  title: 'Sperrliste',
  about:
    'Adressen, die keine Mail bekommen. Sie werden vor jedem Senden geprüft; wer hier steht, bekommt nie etwas.',
  emptyTitle: 'Niemand ist gesperrt',
  empty: 'Endgültige Rückläufer, Beschwerden und Abmeldungen erscheinen hier von selbst.',
  search: 'Teil der Adresse',
  address: 'Adresse',
  reason: 'Grund',
  scope: 'Für',
  everyone: 'alles',
  subTenant: 'Mandant',
  subTenantHint: 'ID oder external:<Ihre ID>. Leer: für den ganzen Workspace.',
  cause: 'Nachricht',
  causeLink: 'Nachricht zeigen',
  since: 'Seit',
  sentences: {
    bounce: 'Mail dorthin kam endgültig zurück.',
    complaint: 'Der Empfänger hat Mail als Spam gemeldet.',
    unsubscribe: 'Der Empfänger hat sich abgemeldet.',
    manual: 'Jemand von Ihnen hat sie eingetragen.',
  },
  add: 'Adresse sperren',
  addHint: 'Ab jetzt geht keine Mail mehr dorthin.',
  added: 'Die Adresse ist gesperrt.',
  check: 'Adresse prüfen',
  checkButton: 'Prüfen',
  checkFree: (email) => `${email} ist nicht gesperrt.`,
  checkFound: (email, reason) => `${email} ist gesperrt: ${reason}`,
  checkScope: { workspace: 'Für den ganzen Workspace.', sub_tenant: 'Für diesen Mandanten.' },
  import: 'Importieren',
  importTitle: 'Sperren importieren',
  importHint:
    'CSV mit den Spalten email, reason und sub_tenant_id, oder eine Adresse je Zeile. Gründe: bounce, complaint, unsubscribe, manual.',
  importText: 'Oder Adressen einfügen',
  importDone: 'Gelesen',
  importCounts: { total: 'Einträge', created: 'Neu', existing: 'Schon bekannt', failed: 'Abgelehnt' },
  importLine: (line) => `Zeile ${line}`,
  export: 'Als CSV exportieren',
  remove: 'Aufheben',
  removeTitle: 'Die Sperre aufheben',
  removeWarnings: {
    bounce:
      'Mail an diese Adresse kam endgültig zurück. Gibt es sie noch immer nicht, schadet das Senden Ihrem Ruf.',
    complaint:
      'Dieser Mensch hat Ihre Mail als Spam gemeldet. Eine weitere Beschwerde schadet mehr, als eine Mail wert ist.',
    unsubscribe: 'Dieser Mensch will keine Mail mehr. Fahren Sie nur mit seiner Einwilligung fort.',
    manual: 'Jemand von Ihnen hat sie eingetragen.',
  },
  removeHint: (email) => `Ab jetzt wird wieder Mail an ${email} gesendet.`,
  removed: 'Die Sperre ist aufgehoben.',
};
