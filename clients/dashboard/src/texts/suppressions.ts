// Texts of suppressions.
import { catalogue } from './texts.js';

const en = {
  title: 'Suppressions',
  about: 'Addresses Mailkeel never sends to. The list is checked before every send.',
  emptyTitle: 'No suppressions yet',
  empty: 'Hard bounces, complaints and unsubscribes are added automatically.',
  search: 'Search addresses',
  address: 'Address',
  reason: 'Reason',
  scope: 'Scope',
  everyone: 'workspace',
  subTenant: 'Sub-tenant',
  subTenantHint: 'Leave empty for the whole workspace.',
  cause: 'Message',
  causeLink: 'View message',
  since: 'Added',
  sentences: {
    bounce: 'A message to this address hard-bounced.',
    complaint: 'The recipient marked a message as spam.',
    unsubscribe: 'The recipient unsubscribed.',
    manual: 'Added manually.',
  },
  add: 'Add address',
  addHint: 'Mailkeel will stop sending to this address.',
  added: 'Address suppressed.',
  check: 'Check address',
  checkButton: 'Check',
  checkFree: (email: string) => `${email} is not suppressed.`,
  checkFound: (email: string, reason: string) => `${email} is suppressed: ${reason}`,
  checkOnly: (email: string) => `${email} is suppressed only for these sub-tenants:`,
  checkAlso: 'Also suppressed for:',
  checkScope: { workspace: 'Applies to the whole workspace.', sub_tenant: 'Applies to this sub-tenant.' },
  import: 'Import',
  importTitle: 'Import suppressions',
  importHint:
    'CSV with columns email, reason and sub_tenant_id, or one address per line. Reasons: bounce, complaint, unsubscribe, manual.',
  importText: 'Or paste addresses',
  importDone: 'Import completed',
  importCounts: { total: 'Entries', created: 'Added', existing: 'Already suppressed', failed: 'Rejected' },
  importLine: (line: number) => `Line ${line}`,
  export: 'Export CSV',
  remove: 'Remove',
  removeTitle: 'Remove suppression?',
  removeWarnings: {
    bounce:
      'A message to this address hard-bounced. If the address still doesn’t exist, sending to it hurts your reputation.',
    complaint: 'The recipient marked your message as spam. Another complaint hurts your reputation.',
    unsubscribe: 'The recipient unsubscribed. Remove the suppression only with their consent.',
    manual: 'This address was added manually.',
  },
  removeHint: (email: string) => `Mailkeel will send to ${email} again.`,
  removed: 'Suppression removed.',
};

export const suppressions = catalogue(en, () => import('./de/suppressions.js').then(({ de }) => de));
export type SuppressionsTexts = typeof en;
