// Plans the rows of a classified message, and names its outcome.
import type { TrailEvent } from '../../contract/names.js';
import { isErasedAddress } from '../../contract/erased-address.js';
import type { ParsedMail } from '../../lib/mime/index.js';
import type { TokenKey } from '../../lib/tokens/index.js';
import type { MailAuthentication } from '../../lib/authentication/index.js';
import { classifyBounceReport } from './bounce-report.rules.js';
import { classifyComplaint } from './complaint.rules.js';
import { findProvider } from '../../outbound/route/provider.rules.js';
import { readClient } from '../inbound.store.js';
import type { SignedLinkTarget } from '../../messages/messages.store.js';
import type { InboundContext } from '../context.js';
import { hasLeft, unsubscribeFromList } from '../../lists/preferences/unsubscribe-plan.store.js';
import { messageRecipient, unsubscribe, addSuppression } from '../../suppressions/suppression-plan.store.js';
import { planBounce } from './bounce-plan.js';
import { decideForwards } from './decide-forwards.js';
import type { VisibleParts } from './mail-work.js';
import { placeReply } from './place-reply.js';
import { planReceived, senderOf } from './reply-plan.js';
import type { MailRisk } from '../risk/examine-mail.js';
import type { Classification } from './classification.js';
import type { FeedbackReport } from '../../lib/dsn/index.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import { auditTrailEntry } from '../../events/audit-trail-entry.store.js';
import { readUnsubscribeToken } from '../../contacts/unsubscribe.rules.js';
import { readMessageReference, readUnsubscribeLocal } from '../../messages/mail-tokens.rules.js';
import { tokensIn, type TokenTrace, type Traced } from './token-traces.rules.js';
import { readReturnPathLocal } from '../../messages/verp.rules.js';
import type { InboundMail } from '../inbound.tables.js';
import type { Change } from '../../database/change.js';
import { advanceMessage } from '../../messages/message-changes.store.js';

/** How far back bounces of an address are read. suppressions/suppression.rules.ts decides which of them count. */
const EARLIER_MS = 15 * 86_400_000;

/** The outcome of a message, for its row. */
export interface RecordedMail {
  outcome: string;
  detail?: Record<string, unknown>;
  changes: readonly Change[];
}

/** A message with all that was found out about it. */
export interface ClassifiedMail {
  mail: InboundMail;
  raw: Uint8Array;
  parsed: ParsedMail;
  visible: VisibleParts;
  /** `null` if it was not examined. */
  risk: MailRisk | null;
  classification: Classification;
  authentication: MailAuthentication | null;
  /** Complaints of its client are believed without a signature. */
  isFromFeedbackSource: boolean;
  /** The plan of the recipient's organization has no sends left, so the message is not forwarded. */
  isOverQuota: boolean;
}

export async function recordMail(context: InboundContext, classified: ClassifiedMail): Promise<RecordedMail> {
  const { classification } = classified;
  switch (classification.kind) {
    case 'bounce':
      return recordBounce(context, classified, classification);
    case 'complaint':
      return recordComplaint(context, classified, classification);
    case 'unsubscribe':
      return recordUnsubscribe(context, classified);
    case 'reply':
      return recordReply(context, classified, classification.autoReply);
    case 'ignored':
      return { outcome: classification.why, changes: [] };
  }
}

/** Returns a key for mail that must be recorded one after the other, because reports about one recipient add up. */
export async function readMutexKey(
  { store, keys }: InboundContext,
  classified: Omit<ClassifiedMail, 'isOverQuota'>,
): Promise<string> {
  const traced = messageAbout(classified, keys.tokenKeys.all);
  const target = traced === null ? null : await store.messages.forToken(traced);
  return target ? `${target.scope.environmentId} ${target.message.to_key}` : classified.mail.target;
}

/** Returns the public id of the sent message that a report or an unsubscribe request is about, or `null`. */
function messageAbout(
  { mail, classification }: Pick<ClassifiedMail, 'mail' | 'classification'>,
  tokenKeys: readonly TokenKey[],
): string | null {
  switch (classification.kind) {
    case 'bounce':
      return mail.kind === 'mailbox'
        ? tracedMessage({ original: classification.report.original }, tokenKeys)
        : mail.target;
    case 'complaint':
      return mail.kind === 'return_path' ? mail.target : tracedMessage(classification.report, tokenKeys);
    case 'unsubscribe':
      return mail.target;
    case 'reply':
    case 'ignored':
      return null;
  }
}

async function recordBounce(
  context: InboundContext,
  classified: ClassifiedMail,
  { report }: Extract<Classification, { kind: 'bounce' }>,
): Promise<RecordedMail> {
  const { mail } = classified;
  const traced = messageAbout(classified, context.keys.tokenKeys.all);
  const target = traced === null ? null : await context.store.messages.forToken(traced);
  // A report to a mailbox about none of the sent messages is ordinary mail.
  if (!target) return mail.kind === 'mailbox' ? recordReply(context, classified, 'report') : targetGone();
  if (isForgotten(target)) return targetGone();
  const { message, scope } = target;
  const detail = { message: message.public_id, format: report.format };
  const reported = classifyBounceReport(
    report,
    {
      recipientKey: message.to_key,
      providerOfHost: (host) => findProvider([host], context.rules.providers),
    },
    context.rules.bounces,
  );
  // Every participant of a conversation sees the reply address and may see the header, so they could forge a report.
  const isProven = mail.kind === 'return_path';
  const bounce = isProven ? reported : { ...reported, suppress: 'never' as const };
  const since = mail.received_at - EARLIER_MS;
  const earlierBounces = await context.store.messages.earlierBounces(
    scope.environmentId,
    message.to_key,
    since,
  );
  const { outcome, changes } = planBounce({
    target,
    report,
    bounce,
    at: mail.received_at,
    happened: await readEvents(context.store, target),
    earlierBounces,
  });
  return { outcome, detail, changes };
}

async function recordComplaint(
  context: InboundContext,
  classified: ClassifiedMail,
  { report }: Extract<Classification, { kind: 'complaint' }>,
): Promise<RecordedMail> {
  const { mail, authentication } = classified;
  const { address } = readClient(mail);
  const classification = classifyComplaint({
    report,
    authentication,
    sourceIsConfigured: classified.isFromFeedbackSource,
  });
  const traced = messageAbout(classified, context.keys.tokenKeys.all);
  const target = traced === null ? null : await context.store.messages.forToken(traced);
  // In a mailbox, a complaint that is unproven or about none of the sent messages is ordinary mail.
  const isRead = mail.kind === 'mailbox' || mail.kind === 'reply';
  if (isRead && (!target || classification !== 'complaint'))
    return recordReply(context, classified, 'report');
  if (!target) return { outcome: 'complaint_about_unknown', detail: { classification }, changes: [] };
  if (isForgotten(target)) return targetGone();
  const detail = { message: target.message.public_id, classification };
  if (classification !== 'complaint') return { outcome: `complaint_${classification}`, detail, changes: [] };
  const isKnown = (await readEvents(context.store, target)).includes('complained');
  if (isKnown) return { outcome: 'duplicate', detail, changes: [] };
  const reporter = authentication?.fromDomain ?? address;
  return {
    outcome: 'complaint',
    detail,
    changes: planComplaint(target, report, { reporter, at: mail.received_at }),
  };
}

async function recordUnsubscribe({ store }: InboundContext, { mail }: ClassifiedMail): Promise<RecordedMail> {
  const target = await store.messages.forToken(mail.target);
  if (!target || isErasedAddress(target.message.to_email)) return targetGone();
  const detail = { message: target.message.public_id };
  const how = { metadata: { by: 'mail' } };
  const { topic_id: topic, to_key: emailKey } = target.message;
  const list = topic === null ? null : await store.lists.listOf(topic);
  if (list) {
    if ((await store.lists.leftAt(list.number, emailKey)) !== null) {
      return { outcome: 'duplicate', detail, changes: [] };
    }
    const contact = await store.contacts.contactByAddress(target.scope, emailKey);
    const isOwn = contact?.sub_tenant_id === list.sub_tenant_id;
    const leaving = { contactId: isOwn ? contact.id : null, detail: how, at: mail.received_at };
    return { outcome: 'unsubscribe', detail, changes: unsubscribeFromList(target, list, leaving) };
  }
  if (await hasLeft(store, target)) return { outcome: 'duplicate', detail, changes: [] };
  return {
    outcome: 'unsubscribe',
    detail,
    changes: unsubscribe(messageRecipient(target), how, mail.received_at),
  };
}

/** Includes events that did not change the status, such as a bounce after an open. */
async function readEvents(
  store: InboundContext['store'],
  { message }: SignedLinkTarget,
): Promise<TrailEvent[]> {
  return store.events.eventNamesOfMessage(message.id);
}

async function recordReply(
  context: InboundContext,
  classified: ClassifiedMail,
  autoReply: string | null,
): Promise<RecordedMail> {
  const { store, config } = context;
  const { mail, raw, parsed, visible, risk: found, authentication } = classified;
  const place = await placeReply(store, mail, parsed);
  if (!place) return targetGone();
  const { email: author } = senderOf(mail, parsed);
  const risk = found && {
    ...found,
    first_time_sender: !(await store.threads.hasWritten(place.scope, author)),
  };
  const { decisions: forwards, checks } = await decideForwards(context, place, classified);
  const forwarding = { hostname: config.hostname, lifetimes: config };
  const plan = planReceived({
    ...{ mail, raw, parsed, visible, place, autoReply, authentication, risk },
    ...{ forwards, forwarding },
  });
  const detail = { message: plan.publicId, thread: plan.threadId };
  const { arrivalId, contentHash } = plan;
  // A client that missed the 250 sends the message again.
  const isKnown = await store.threads.isKnown(place.scope, { rfcMessageId: arrivalId, contentHash });
  if (isKnown) return { outcome: 'duplicate', changes: [] };
  const changes = [...checks, ...plan.changes];
  return { outcome: autoReply === null ? 'reply' : 'auto_reply', detail, changes };
}

/** Returns whether the recipient was erased by retention. The audit trail then takes no new details. */
function isForgotten({ message }: SignedLinkTarget): boolean {
  return message.redacted_at !== null && isErasedAddress(message.to_email);
}

function targetGone(): RecordedMail {
  return { outcome: 'target_gone', changes: [] };
}

/** Plans the rows of the first complaint about a message: its status, audit trail entry, and the suppression of the address. */
function planComplaint(
  target: SignedLinkTarget,
  report: FeedbackReport,
  facts: { reporter: string | null; at: number },
): Change[] {
  const { at, reporter } = facts;
  const recipient = messageRecipient(target);
  const metadata = {
    feedback_type: report.type,
    reporter,
    user_agent: report.userAgent,
    source_ip: report.sourceIp,
  };
  return [
    advanceMessage({
      messageId: recipient.messageId,
      to: 'complained',
      from: statusesThatMayBecome('complained'),
      set: { updated_at: at },
    }),
    auditTrailEntry(recipient, { event: 'complained', actor: 'provider', at, detail: { metadata } }),
    ...addSuppression(recipient, 'complaint', at),
  ];
}

/**
 * Returns the public id of the first validly signed token in a report, or `null`. Message-IDs and reply addresses prove
 * nothing, because a Message-ID is unsigned and every participant of a conversation sees the reply address.
 */
function tracedMessage(traced: Traced, keys: readonly TokenKey[]): string | null {
  for (const trace of tokensIn(traced)) {
    const messageId = readTrace(trace, keys);
    if (messageId !== null) return messageId;
  }
  return null;
}

function readTrace(trace: TokenTrace, keys: readonly TokenKey[]): string | null {
  switch (trace.kind) {
    case 'return_path':
      return readReturnPathLocal(trace.local, trace.domain, keys);
    case 'reference':
      return readMessageReference(trace.token, keys);
    case 'unsubscribe_link':
      return readUnsubscribeToken(trace.token, keys);
    case 'unsubscribe_address':
      return readUnsubscribeLocal(trace.local, trace.domain, keys);
    case 'reply_address':
    case 'message_id':
      return null;
  }
}
