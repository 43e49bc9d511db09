// Adapts the text of an advice to its reader. If a call is left out because the caller may not make it, the text names who can.
import type { KeyPermission } from '../../contract/names.js';
import { ADVICE, fillIn, type AdviceCode, type Fillings } from './explain-advice.rules.js';
import {
  callerOf,
  callsOf,
  isPermitted,
  type AdviceCall,
  type AdviceOperation,
  type CallFacts,
} from './advice-calls.rules.js';

/** Operations that change something, as the end of a sentence. */
export const ACTS: Partial<Record<AdviceOperation, string>> = {
  'messages.retry': 'retry the message now',
  'messages.resend': 'resend the message',
  'messages.update': 'reschedule or cancel the message',
  'messages.cancel': 'cancel the message',
  'suppressions.delete': 'remove the suppression',
  'organization.update': 'change this setting',
  'queue.deleteOverride': 'remove the limit before it expires',
  'queue.resumeDestination': 'resume the destination',
  'queue.retryDestination': 'retry the destination',
  'senders.verify': 'verify the DNS records',
  'subTenants.verify': 'verify the DNS records',
  'subTenants.update': 'change the limit',
  'campaigns.resume': 'resume the campaign',
  'sources.resume': 'resume the source',
};

/** Names the owner of a suppression or pause that is out of reach. */
const OWNERS: Partial<Record<AdviceOperation, string>> = {
  'suppressions.delete': 'The workspace suppressed {email}.',
  'queue.resumeDestination': 'The workspace paused delivery to {domain}.',
};

const HOLDERS = {
  send: 'a member or a key with permission to send',
  full: 'a member or a key with full access',
  admin: 'an admin or a key with admin permission',
  workspace: 'the workspace',
  operator: 'the operator',
} as const;

/** Sentences of an advice that hold without its calls; other advice is replaced whole. */
const WITHOUT_CALLS: Partial<Record<AdviceCode, string>> = {
  wait: 'No action needed. Mailkeel retries automatically.',
  resend: 'Fix the cause first.',
  resend_deliberately: 'The message may have been delivered.',
  respect_unsubscribe: ADVICE.respect_unsubscribe,
  publish_dkim: "Publish the sending domain's DKIM record exactly as shown.",
  prove_sender: "Publish the DNS records of the sender's domain.",
  fix_signing: 'Publish the missing DKIM records. Mailkeel never sends unsigned mail.',
  raise_throttle: "The sub-tenant's reputation shows who set the limit.",
  resume_campaign: 'If the campaign was paused automatically, its page shows why.',
};

/** The calls of an advice that the asker may make, and its text. */
export function adviceFor(
  code: AdviceCode,
  fillings: Fillings,
  facts: CallFacts,
): { text: string; calls: AdviceCall[] } {
  const calls = callsOf(code, fillings, facts);
  const unlimited = { ...facts.asker, reach: 'operator', permission: 'admin' } as const;
  const missing = callsOf(code, fillings, { ...facts, asker: unlimited }).find(
    ({ operation }) => operation in ACTS && !calls.some((call) => call.operation === operation),
  );
  if (missing === undefined) return { text: fillIn(ADVICE[code], fillings), calls };
  const permitted = callsOf(code, fillings, { ...facts, asker: { ...facts.asker, permission: 'admin' } });
  const isInReach = permitted.some(({ operation }) => operation === missing.operation);
  const text = textWithout(code, missing.operation, facts.asker, isInReach);
  return { text: fillIn(text, fillings), calls };
}

function textWithout(
  code: AdviceCode,
  operation: AdviceOperation,
  asker: CallFacts['asker'],
  isInReach: boolean,
): string {
  const isOwners = asker.reach === 'sub_tenant' && operation in OWNERS;
  const holder = holderOf(operation, asker, isInReach);
  return [
    WITHOUT_CALLS[code] ?? '',
    isOwners && holder === 'workspace' ? (OWNERS[operation] ?? '') : '',
    `Only ${HOLDERS[holder]} can ${ACTS[operation] ?? ''}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const PERMISSIONS = ['send', 'full', 'admin'] as const satisfies readonly KeyPermission[];

/** Returns who can make the call: its owner if no permission of the asker suffices, or else holders of the permission. */
function holderOf(
  operation: AdviceOperation,
  asker: CallFacts['asker'],
  isInReach: boolean,
): keyof typeof HOLDERS {
  if (callerOf(operation) === 'operator' && asker.reach !== 'operator') return 'operator';
  if (!isInReach) return 'workspace';
  return PERMISSIONS.find((permission) => isPermitted({ permission }, operation)) ?? 'admin';
}
