// The sender of a message: the address given or the default, and the check that it may be used.
import { Refusal } from '../../contract/refusal.js';
import type { Mode } from '../../contract/names.js';
import { addressKey, addressDomain, envelopeAddress, type Mailbox } from '../../lib/mime/index.js';
import {
  addressInDisplayName,
  isSendingBlocked,
  senderCheck,
  isWithin,
} from '../../domains/senders/sender.rules.js';
import type { SenderSide, Facts } from './facts.js';
import type { Scope } from '../../database/scope.js';
import type { MessageStores } from '../stores.js';

/** A reserved domain (RFC 6761): the sandbox works before any sender is set up. */
const SANDBOX_SENDER: Mailbox = { email: 'sandbox@service.test', name: 'Sandbox' };

export interface Senders {
  from: Mailbox;
  replyTo: readonly Mailbox[];
}

/** The columns by which campaigns and sequences keep who their mail is from. */
interface SenderColumns {
  from_email: string | null;
  from_name: string | null;
  reply_to_email: string | null;
  reply_to_name: string | null;
}

/** Returns the senders in the columns. `from` is `null` for the default sender. */
export function givenSenders(columns: SenderColumns): { from: Mailbox | null; replyTo: Mailbox[] } {
  const { from_email: from, from_name, reply_to_email: replyTo, reply_to_name } = columns;
  return {
    from: from === null ? null : { email: from, name: from_name },
    replyTo: replyTo === null ? [] : [{ email: replyTo, name: reply_to_name }],
  };
}

/** Refused with `tenant_suspended`: of a paused tenant in the environment that it is paused in, of a suspended one when live. */
export function assertTenantSends({ tenant }: SenderSide, mode: Mode): void {
  if (tenant && isSendingBlocked(tenant.status, mode)) {
    throw new Refusal('tenant_suspended', `The sub-tenant is ${tenant.status}, so ${mode} mail is rejected.`);
  }
}

/**
 * Refused with `sender_required` without From and default (the sandbox has its own default), and with `sender_not_verified` if the
 * sender may not use From or Reply-To.
 */
export function chooseSenders(
  given: { from: Mailbox | null; replyTo: readonly Mailbox[] },
  side: SenderSide,
  mode: Mode,
): Senders {
  const from = given.from ?? defaultSender(side, mode);
  assertVerified(from, 'from', side, mode);
  for (const mailbox of given.replyTo) assertReplyTo(mailbox, side, mode);
  return { from, replyTo: given.replyTo };
}

function defaultSender({ senders }: SenderSide, mode: Mode): Mailbox {
  const chosen = senders.find((sender) => sender.is_default === 1 && sender.kind === 'address');
  if (chosen) return { email: chosen.identity, name: chosen.name };
  if (mode === 'test') return SANDBOX_SENDER;
  throw new Refusal('sender_required', undefined, { param: 'from' });
}

/** Refused with `sender_not_verified` unless the organization allows any Reply-To or the address is the sender's to use. */
export function assertReplyTo(mailbox: Mailbox, side: SenderSide, mode: Mode): void {
  if (side.organization.reply_to_policy === 'verified') assertVerified(mailbox, 'reply_to', side, mode);
}

/** Refused with `sender_not_verified`: the address must be the sender's to use, and so must one that its name shows. */
export function assertVerified(
  mailbox: Mailbox,
  param: 'from' | 'reply_to',
  { tenant, senders }: SenderSide,
  mode: Mode,
): void {
  const check = (email: string) => senderCheck({ mode, fromEmail: envelopeAddress(email), tenant, senders });
  const result = check(mailbox.email);
  if (!result.isAllowed) {
    const message =
      `${mailbox.email} is not a verified sender and is not on a verified domain. Verify the domain or choose another sender.` +
      (tenant === null ? ' To send from a domain of a sub-tenant, name the sub-tenant.' : '') +
      (param === 'reply_to'
        ? ' To allow any reply address, change the reply policy of the organization.'
        : '');
    const details = param === 'reply_to' ? { details: { setting: 'reply_to_policy' } } : {};
    const isUnverified = result.code === 'sender_not_verified';
    throw new Refusal(result.code, isUnverified ? message : undefined, { param, ...details });
  }
  const shown = param === 'from' ? addressInDisplayName(mailbox) : null;
  if (shown === null || check(shown).isAllowed) return;
  const message = `The display name of ${mailbox.email} contains ${shown}, which is not a verified sender.`;
  throw new Refusal('sender_not_verified', message, { param });
}

/**
 * Returns the scope narrowed to the sub-tenant with the most specific sending domain that contains the address. A scope with a
 * sub-tenant is not changed, nor is any scope if a sender of the workspace is as specific.
 */
export async function scopeOfSender(
  deps: { store: Pick<MessageStores, 'domains'>; facts: Pick<Facts, 'senderSide'> },
  scope: Scope,
  fromEmail: string | null,
): Promise<Scope> {
  if (scope.subTenantId !== null || fromEmail === null) return scope;
  const domain = addressDomain(fromEmail);
  const { senders } = await deps.facts.senderSide(scope);
  const nearest = Math.max(
    0,
    ...senders.map(({ kind, identity }) => {
      if (kind === 'address') return identity === addressKey(fromEmail) ? Infinity : 0;
      return isWithin(domain, identity) ? identity.length : 0;
    }),
  );
  if (nearest >= domain.length) return scope;
  const tenant = await deps.store.domains.tenantOfDomain(scope, domain);
  return tenant && tenant.domain.length > nearest ? { ...scope, subTenantId: tenant.id } : scope;
}
