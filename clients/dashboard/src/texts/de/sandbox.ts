// The German texts of sandbox.ts.
import type { SandboxTexts } from '../sandbox.js';
import type { Translated } from '../texts.js';

export const de: Translated<SandboxTexts> = {
  title: 'Sandbox-Posteingang',
  about:
    'Mit Testschlüsseln gesendete Nachrichten. Lesen Sie sie und simulieren Sie Zustellungen, Bounces und Antworten.',
  list: 'Sandbox-Nachrichten',
  search: 'Empfänger oder Betreff',
  emptyTitle: 'Der Posteingang ist leer',
  empty: 'Mit einem Testschlüssel gesendete Nachrichten erscheinen hier sofort.',
  send: 'Nachricht senden',
  choose: 'Wählen Sie eine Nachricht, um sie zu lesen',
  open: 'Nachricht öffnen',
  noSubject: '(kein Betreff)',
  to: (address) => `an ${address}`,
  older: 'Ältere Nachrichten',
  addresses: 'Testadressen',
  addressesHint:
    'Der Teil vor dem @ bestimmt das Ergebnis, bei jeder Domain. Mit einem +-Zusatz unterscheiden Sie Empfänger: bounced+anna@example.com.',
  address: 'Adresse',
  does: 'Ergebnis',
  default: 'jede andere Adresse',
  after: (duration) => `nach ${duration}`,
};
