// Texts of suppressions.
import { catalogue } from './texts.js';

const en = {
  title: 'Suppressions',
  about: 'Addresses that get no mail. They are checked before every send; whoever is here is never mailed.',
  emptyTitle: 'Nobody is suppressed',
  empty: 'Hard bounces, complaints and unsubscribes appear here by themselves.',
  search: 'Part of the address',
  address: 'Address',
  reason: 'Reason',
  scope: 'For',
  everyone: 'everything',
  subTenant: 'Sub-tenant',
  subTenantHint: 'Id, or external:<your id>. Empty: for the whole workspace.',
  cause: 'Message',
  causeLink: 'Show the message',
  since: 'Since',
  sentences: {
    bounce: 'Mail to it came back for good.',
    complaint: 'The recipient marked mail as spam.',
    unsubscribe: 'The recipient unsubscribed.',
    manual: 'Somebody of yours put it here.',
  },
  add: 'Add an address',
  addHint: 'No mail goes to it from now on.',
  added: 'The address is suppressed.',
  check: 'Check an address',
  checkButton: 'Check',
  checkFree: (email: string) => `${email} is not suppressed.`,
  checkFound: (email: string, reason: string) => `${email} is suppressed: ${reason}`,
  checkScope: { workspace: 'For the whole workspace.', sub_tenant: 'For this sub-tenant.' },
  import: 'Import',
  importTitle: 'Import suppressions',
  importHint:
    'CSV with the columns email, reason and sub_tenant_id, or one address a line. Reasons: bounce, complaint, unsubscribe, manual.',
  importText: 'Or paste addresses',
  importDone: 'Read',
  importCounts: { total: 'Entries', created: 'New', existing: 'Known before', failed: 'Refused' },
  importLine: (line: number) => `Line ${line}`,
  export: 'Export as CSV',
  remove: 'Remove',
  removeTitle: 'Remove the suppression',
  removeWarnings: {
    bounce:
      'Mail to this address came back for good. If it still does not exist, sending there hurts your reputation.',
    complaint:
      'This person marked your mail as spam. Another complaint hurts your reputation more than one mail is worth.',
    unsubscribe: 'This person asked to get no more mail. Go on only with their consent.',
    manual: 'Somebody of yours put it here.',
  },
  removeHint: (email: string) => `Mail to ${email} is sent again from now on.`,
  removed: 'The suppression is removed.',
};

export const suppressions = catalogue(en, () => import('./de/suppressions.js').then(({ de }) => de));
export type SuppressionsTexts = typeof en;
