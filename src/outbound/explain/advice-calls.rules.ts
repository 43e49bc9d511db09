// The operations of the API that an advice comes with. The dashboard makes buttons and links of them, the command line commands.
import type { AdviceCode, Fillings } from './explain-advice.rules.js';

/** By the id of the operation; words in braces are filled in. */
export const CALLS = {
  'messages.retry': 'POST /v1/messages/{message}/retry',
  'messages.resend': 'POST /v1/messages/{message}/resend',
  'messages.update': 'PATCH /v1/messages/{message}',
  'messages.cancel': 'POST /v1/messages/{message}/cancel',
  'messages.listAttempts': 'GET /v1/messages/{message}/attempts',
  'suppressions.delete': 'DELETE /v1/suppressions/{email}',
  'organization.update': 'PATCH /v1/organization',
  'queue.listOverrides': 'GET /v1/queue/overrides',
  'queue.deleteOverride': 'DELETE /v1/queue/overrides/{override}',
  'queue.resumeDestination': 'POST /v1/queue/destinations/{domain}/resume',
  'queue.retryDestination': 'POST /v1/queue/destinations/{domain}/retry',
  'senders.list': 'GET /v1/senders',
  'senders.getAuthentication': 'GET /v1/senders/{sender}/authentication',
  'senders.verify': 'POST /v1/senders/{sender}/verify',
  'subTenants.getAuthentication': 'GET /v1/sub-tenants/{tenant}/authentication',
  'subTenants.verify': 'POST /v1/sub-tenants/{tenant}/verify',
  'subTenants.getAudit': 'GET /v1/sub-tenants/{tenant}/audit',
  'subTenants.getReputation': 'GET /v1/sub-tenants/{tenant}/reputation',
  'subTenants.update': 'PATCH /v1/sub-tenants/{tenant}',
  'campaigns.resume': 'POST /v1/campaigns/{campaign}/resume',
  'sources.list': 'GET /v1/sources',
  'sources.resume': 'POST /v1/sources/{source}/resume',
} as const;
export type AdviceOperation = keyof typeof CALLS;

export interface AdviceCall {
  operation: AdviceOperation;
  method: string;
  path: string;
  /** The sub-tenant to act for; null: none. */
  sub_tenant_id: string | null;
}

/** One operation, or the first of several whose words are known. */
type Step = AdviceOperation | readonly AdviceOperation[];

const RECORDS: Step = ['subTenants.getAuthentication', 'senders.getAuthentication', 'senders.list'];
const VERIFY: Step = ['subTenants.verify', 'senders.verify', 'senders.list'];

const STEPS: Partial<Record<AdviceCode, readonly Step[]>> = {
  wait: ['messages.retry'],
  resend: ['messages.resend'],
  resend_deliberately: ['messages.resend'],
  send_sooner: ['messages.update', 'messages.cancel'],
  lift_suppression: ['suppressions.delete', 'messages.resend'],
  respect_unsubscribe: ['organization.update'],
  ask_smarthost: ['messages.listAttempts'],
  ask_postmaster: ['messages.listAttempts'],
  slow_down: ['queue.listOverrides'],
  remove_override: ['queue.deleteOverride'],
  resume_destination: ['queue.resumeDestination'],
  resume_sub_tenant: ['queue.resumeDestination'],
  resume_workspace: ['queue.resumeDestination'],
  retry_destination: ['queue.retryDestination'],
  publish_spf: [RECORDS],
  publish_dkim: [RECORDS, VERIFY],
  verify_sender: ['senders.list'],
  prove_sender: [RECORDS, VERIFY],
  recover_tenant: ['subTenants.getAudit'],
  resume_campaign: ['campaigns.resume'],
  raise_throttle: ['subTenants.getReputation', 'subTenants.update'],
  fix_signing: [RECORDS, VERIFY],
  resume_source: ['sources.list', 'sources.resume'],
};

/** Every operation that an advice may suggest. */
export function operationsOf(code: AdviceCode): AdviceOperation[] {
  return [...new Set<AdviceOperation>((STEPS[code] ?? []).flat())];
}

/** The calls of an advice, in the order in which they are made. Calls whose words are not known are left out. */
export function callsOf(code: AdviceCode, fillings: Fillings): AdviceCall[] {
  const calls = (STEPS[code] ?? []).flatMap((step): AdviceCall[] => {
    const operations = typeof step === 'string' ? [step] : step;
    const operation = operations.find((one) => pathOf(one, fillings) !== null);
    const path = operation === undefined ? null : pathOf(operation, fillings);
    if (operation === undefined || path === null) return [];
    const [method = ''] = CALLS[operation].split(' ');
    const tenant = code === 'resume_sub_tenant' ? (fillings.tenant ?? null) : null;
    return [{ operation, method, path, sub_tenant_id: tenant }];
  });
  return calls.filter(({ path }, at) => calls.findIndex((one) => one.path === path) === at);
}

/** Null if a word of the path is not known. */
function pathOf(operation: AdviceOperation, fillings: Fillings): string | null {
  const words: Readonly<Record<string, string | null | undefined>> = { ...fillings };
  const [, template = ''] = CALLS[operation].split(' ');
  const needed = [...template.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => words[word] ?? null);
  if (needed.includes(null)) return null;
  return template.replace(/\{(\w+)\}/g, (_, word: string) => encodeURIComponent(words[word] ?? ''));
}
