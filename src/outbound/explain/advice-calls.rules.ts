// The API operations that carry out an advice. The dashboard shows them as buttons and links, the command line as commands.
import { isAllowed } from '../../contract/key-permission.js';
import type { KeyPermission } from '../../contract/names.js';
import type { AdviceCode, Fillings } from './explain-advice.rules.js';
import type { Asker, ExplainFacts } from './explain-facts.rules.js';

/** By the id of the operation; words in braces are filled in. */
export const CALLS = {
  'messages.retry': 'POST /v1/messages/{message}/retry',
  'messages.resend': 'POST /v1/messages/{message}/resend',
  'messages.update': 'PATCH /v1/messages/{message}',
  'messages.cancel': 'POST /v1/messages/{message}/cancel',
  'messages.listAttempts': 'GET /v1/messages/{message}/attempts',
  'suppressions.delete': 'DELETE /v1/suppressions/{suppression}',
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
  /** The sub-tenant to act for; `null` if the path names everything. */
  sub_tenant_id: string | null;
}

/** One operation, or the first of several whose values are known. */
type Step = AdviceOperation | readonly AdviceOperation[];

const RECORDS: Step = ['subTenants.getAuthentication', 'senders.getAuthentication', 'senders.list'];
const VERIFY: Step = ['subTenants.verify', 'senders.verify', 'senders.list'];

const STEPS: Partial<Record<AdviceCode, readonly Step[]>> = {
  wait: ['messages.retry'],
  resend: ['messages.resend'],
  resend_now: ['messages.resend'],
  resend_deliberately: ['messages.resend'],
  decide_approval: ['messages.cancel'],
  send_sooner: ['messages.update', 'messages.cancel'],
  lift_suppression: ['suppressions.delete', 'messages.resend'],
  lift_and_wait: ['suppressions.delete'],
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

/** Operations that a key pinned to a sub-tenant may not call, or that only the operator may call. */
const CALLERS: Partial<Record<AdviceOperation, Exclude<Asker['reach'], 'sub_tenant'>>> = {
  'organization.update': 'workspace',
  'subTenants.update': 'workspace',
  'queue.deleteOverride': 'operator',
  'sources.list': 'operator',
  'sources.resume': 'operator',
};

/** The furthest owner that an operation needs; absent if the owner of the message may call it. */
export function callerOf(operation: AdviceOperation): Asker['reach'] | undefined {
  return CALLERS[operation];
}

/** Permissions that the routes of the operations name. */
const PERMISSIONS: Partial<Record<AdviceOperation, KeyPermission>> = {
  'messages.resend': 'send',
  'messages.update': 'send',
  'messages.cancel': 'send',
  'messages.listAttempts': 'send',
  'organization.update': 'admin',
  'queue.deleteOverride': 'admin',
  'sources.list': 'admin',
  'sources.resume': 'admin',
};

/** Facts that identify the owner of the suppressions and pauses that the calls lift. */
export type CallFacts = Pick<ExplainFacts, 'asker' | 'suppressions' | 'pause'>;

/**
 * Returns the calls of an advice, in the order in which to make them. Leaves out calls that the caller may not make or whose values
 * are unknown.
 */
export function callsOf(code: AdviceCode, fillings: Fillings, facts: CallFacts): AdviceCall[] {
  const { asker, suppressions } = facts;
  const steps = STEPS[code] ?? [];
  // The message is suppressed again if only some of them are lifted.
  const canLift =
    isPermitted(asker, 'suppressions.delete') &&
    suppressions.length > 0 &&
    suppressions.every(({ subTenantId }) => isInReach(asker, subTenantId));
  if (steps.includes('suppressions.delete') && !canLift) return [];
  const calls = steps.flatMap((step): AdviceCall[] => {
    const operations = typeof step === 'string' ? [step] : step;
    return operations.map((one) => callsTo(one, fillings, facts)).find((found) => found.length > 0) ?? [];
  });
  return calls.filter(({ path }, at) => calls.findIndex((one) => one.path === path) === at);
}

/** The calls to one operation: for `suppressions.delete` one each, for others at most one. */
function callsTo(operation: AdviceOperation, fillings: Fillings, facts: CallFacts): AdviceCall[] {
  const { asker, suppressions } = facts;
  const needed = CALLERS[operation];
  if (needed !== undefined && asker.reach !== needed && asker.reach !== 'operator') return [];
  if (!isPermitted(asker, operation)) return [];
  const owner = ownerOf(operation, fillings, facts);
  if (operation === 'queue.resumeDestination' && !isInReach(asker, owner)) return [];
  const [method = '', template = ''] = CALLS[operation].split(' ');
  const ids = operation === 'suppressions.delete' ? suppressions.map(({ id }) => id) : [null];
  return ids.flatMap((suppression) => {
    const path = pathOf(template, { ...fillings, suppression });
    return path === null ? [] : [{ operation, method, path, sub_tenant_id: owner }];
  });
}

export function isPermitted({ permission }: Pick<Asker, 'permission'>, operation: AdviceOperation): boolean {
  const [method = ''] = CALLS[operation].split(' ');
  return isAllowed(permission, method, PERMISSIONS[operation]);
}

function isInReach({ subTenantId, reach }: Asker, owner: string | null): boolean {
  return reach !== 'sub_tenant' || owner === subTenantId;
}

/** The sub-tenant to which a call is limited. `null` if there is none, or if the IDs in the path determine it. */
function ownerOf(
  operation: AdviceOperation,
  { tenant = null }: Fillings,
  { asker, pause }: CallFacts,
): string | null {
  if (operation === 'queue.resumeDestination') return pause?.subTenantId ?? null;
  if (operation === 'queue.retryDestination') return asker.subTenantId;
  return operation === 'senders.list' ? tenant : null;
}

/** `null` if a word of the path is not known. */
function pathOf(template: string, words: Readonly<Record<string, string | null | undefined>>): string | null {
  const needed = [...template.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => words[word] ?? null);
  if (needed.includes(null)) return null;
  return template.replace(/\{(\w+)\}/g, (_, word: string) => encodeURIComponent(words[word] ?? ''));
}
