// The German texts of sandbox.ts.
import type { SandboxTexts } from '../sandbox.js';
import type { Translated } from '../texts.js';

export const de: Translated<SandboxTexts> = {
  title: 'Sandbox-Posteingang',
  about:
    'Hier endet die Mail der Testschlüssel. Sie sind jeder Empfänger: Lesen Sie, und entscheiden Sie, was daraus wird.',
  list: 'Mail in der Sandbox',
  search: 'Empfänger oder Betreff',
  emptyTitle: 'Der Posteingang ist leer',
  empty: 'Senden Sie eine Nachricht mit dem Testschlüssel; sie erscheint sofort hier.',
  send: 'Nachricht senden',
  choose: 'Wählen Sie eine Mail, um sie zu lesen',
  open: 'Nachricht öffnen',
  noSubject: '(ohne Betreff)',
  to: (address) => `an ${address}`,
  older: 'Ältere Mail',
  addresses: 'Adressen, die etwas bewirken',
  addressesHint:
    'Der Teil vor dem @ entscheidet, bei jeder Domain. Was nach einem + steht, gehört Ihnen: bounced+anna@example.com.',
  address: 'Adresse',
  does: 'Was geschieht',
  default: 'jede andere Adresse',
  after: (duration) => `nach ${duration}`,
};
