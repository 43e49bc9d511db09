// Plans the changes of an outcome: status, queue row, attempt, trail entries and suppression. It has no side effects.
import { bounceReason, bounceType, type BounceRules } from './bounce-class.rules.js';
import type { BounceCategory, ErrorDetail, RouteSide, TrailEvent } from '../../contract/names.js';
import {
  isDestinationWide,
  type AttemptResult,
  type Outcome,
  type Peer,
  type Reply,
  type SkippedCopy,
} from './attempt.rules.js';
import { decideRetry, isAddressBlock } from '../schedule/retry-schedule.rules.js';
import { providerMessageId } from '../../lib/mime/index.js';
import { repeatSuppresses, suppressedMetadata } from '../../suppressions/suppression.rules.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import { addSuppression } from '../../suppressions/suppression-plan.store.js';
import type { Claim } from '../schedule/queue.store.js';
import { reportChanges } from '../../messages/relayed/due-reports.js';
import { auditTrailEntry } from '../../events/audit-trail-entry.store.js';
import type { AttemptAbout, AttemptDetail } from '../../messages/attempt.schema.js';
import type { OpenedSession } from '../deliver/worker-messages.js';
import type { Config } from '../../settings/settings.js';
import type { Failure } from './failure.js';
import type { ShareChoice } from '../route/share.rules.js';
import type { Change } from '../../database/change.js';
import type { EventDetail } from '../../events/append.store.js';
import {
  dequeueMessage,
  advanceMessage,
  moveToSide,
  requeueMessage,
  amendMessage,
  recordAttempt as recordAttemptChange,
  type MessageColumns,
} from '../../messages/message-changes.store.js';
import { addressRechecks } from '../outbound.tables.js';
import { insert } from '../../database/rows.js';
import { smtpSessions } from '../../messages/messages.tables.js';

export interface OutcomeSettings extends Pick<
  Config,
  | 'retryScheduleMs'
  | 'ambiguousHoldMs'
  | 'ambiguousTransactional'
  | 'ambiguousMarketing'
  | 'ambiguousRetryLimit'
  | 'holdMs'
  | 'greylistRetryMs'
  | 'blockedRetryMs'
  | 'blockedRetries'
  | 'delayWarningMs'
  | 'deadDomainRecheckMs'
> {
  rules: BounceRules;
  skipRecipient: SkipRecipient;
}

/** Returns the changes that mark a recipient of a campaign as skipped. */
export type SkipRecipient = (copy: SkippedCopy) => Change[];

/** An outcome and the other facts that its plan needs. */
export interface OutcomeFacts {
  claim: Claim;
  outcome: Outcome;
  /** Epoch ms at which the copy was signed; `null` if an earlier report had it. */
  startedAt: number | null;
  /** `null` if the attempt did not fail. */
  failure: Failure | null;
  /** Reason for a route that is not the first choice; `null` for the first choice. */
  note: string | null;
  /** The side of a route with a share; `null` for other routes. */
  share: ShareChoice | null;
  /** Random number in [0, 1) that spreads retries. */
  jitter: number;
  /** Source of the next attempt, if this one fails. `isOpen`: retry immediately, because the peer only refused the source. */
  otherSource: { name: string; isOpen: boolean } | null;
  /** Earlier bounces of the address, for categories that only suppress after several. */
  earlierBounces: readonly { category: string; at: number }[];
}

/** Plans an outcome, including the report to the submitter of a relayed message. */
export function outcomePlan(facts: OutcomeFacts, settings: OutcomeSettings): Change[] {
  const changes = outcomeChanges(facts, settings);
  const { result } = facts.outcome;
  const isPassedOn = result.kind === 'accepted' && result.tellsSuccess === true;
  return [...changes, ...reportChanges(facts.claim, changes, { handedOver: handedOver(facts), isPassedOn })];
}

/** Describes the acceptance by a smarthost, which has no trail entry. Returns `null` for other outcomes. */
function handedOver({
  outcome,
}: OutcomeFacts): { occurredAt: number; metadata: Record<string, unknown> } | null {
  const { result, via, at } = outcome;
  if (result.kind !== 'accepted' || via !== 'smarthost') return null;
  const metadata = { code: result.reply.code, reply: result.reply.text, ...describePeer(result.peer) };
  return { occurredAt: at, metadata };
}

function outcomeChanges(facts: OutcomeFacts, settings: OutcomeSettings): Change[] {
  const { claim, outcome } = facts;
  const { result } = outcome;
  switch (result.kind) {
    case 'unattempted':
      return [...withoutDate(claim), backToQueue(claim)];
    case 'held':
      // Mail of a suspended sub-tenant keeps its position in the queue and is sent in order later.
      return [
        ...withoutDate(claim),
        backToQueue(claim, {
          dueAt: result.reason === 'tenant' ? claim.dueAt : outcome.at + settings.holdMs,
          holdReason: `${result.reason}: ${result.message}`,
        }),
      ];
    case 'suppressed':
      return end(facts, 'suppressed', { metadata: suppressedMetadata(result.reason, result.topic ?? null) });
    case 'skipped':
      return skipCopy(claim, result, { at: outcome.at, skipRecipient: settings.skipRecipient });
    case 'canceled':
      return cancel(claim, { reason: result.reason }, outcome.at);
    case 'failed':
      return failed(facts, result);
    case 'accepted':
      return [...sentEntries(facts), recordAttempt(facts, 'delivered', null), ...accepted(facts, result)];
    case 'ambiguous':
      return ambiguous(facts, result, settings);
    case 'refused':
    case 'unreachable':
    case 'unroutable':
      return facts.failure ? [...sentEntries(facts), ...refused(facts, facts.failure, settings)] : [];
  }
}

function accepted(facts: OutcomeFacts, result: { reply: Reply; peer: Peer }): Change[] {
  const { claim, outcome } = facts;
  const metadata = {
    attempt: claim.attempts + 1,
    code: result.reply.code,
    reply: result.reply.text,
    source: outcome.source,
    ...describePeer(result.peer),
  };
  const gone: Change = dequeueMessage({ messageId: claim.messageId });
  // Acceptance by a smarthost is not delivery to the recipient's server.
  if (outcome.via === 'smarthost') return [advance(claim, 'sent', attempted(facts)), gone];
  return [
    advance(claim, 'delivered', attempted(facts)),
    append(facts, 'delivered', 'provider', { metadata }),
    gone,
  ];
}

function failed(facts: OutcomeFacts, result: Extract<AttemptResult, { kind: 'failed' }>): Change[] {
  const { outcome } = facts;
  const error: ErrorDetail = {
    type: 'failure',
    category: result.category,
    code: null,
    enhanced_code: null,
    message: result.message,
    remote_host: null,
    occurred_at: new Date(outcome.at).toISOString(),
  };
  const detail = { metadata: { category: result.category, message: result.message } };
  return end(facts, 'failed', detail, { error: JSON.stringify(error) });
}

function end(
  facts: OutcomeFacts,
  status: 'suppressed' | 'failed',
  detail: EventDetail,
  set: Columns = {},
): Change[] {
  const { claim, outcome } = facts;
  return [
    advance(claim, status, { ...set, updated_at: outcome.at }),
    append(facts, status, 'system', detail),
    dequeueMessage({ messageId: claim.messageId }),
  ];
}

/** Ends a message as `sent` and in doubt. Mailkeel does not retry it. */
function leaveInDoubt(facts: OutcomeFacts, metadata: Record<string, unknown>): Change[] {
  const { claim, outcome } = facts;
  const gone: Change = dequeueMessage({ messageId: claim.messageId });
  const sent =
    claim.provider === null
      ? sentEntries(facts, metadata)
      : [append(facts, 'deferred', 'provider', { metadata })];
  const doubtful = { ...attempted(facts), in_doubt_at: outcome.at };
  return [...sent, advance(claim, 'sent', doubtful), recordAttempt(facts, 'ambiguous', null), gone];
}

/** Ends a message of a restored backup in doubt, because it may have been sent before the restore. Mailkeel does not retry it. */
export function mayHaveLeft(claim: Claim, error: string, { at, via }: Pick<Outcome, 'at' | 'via'>): Change[] {
  const outcome: Outcome = {
    messageId: claim.messageId,
    at,
    handedAt: at,
    datedAt: null,
    signedAt: null,
    via,
    source: claim.source ?? '',
    pathId: 0,
    sessionId: null,
    conversation: null,
    times: null,
    sizeBytes: null,
    result: { kind: 'ambiguous', error, peer: null },
  };
  const noFailure = {
    failure: null,
    otherSource: null,
    note: null,
    share: null,
    startedAt: null,
    jitter: 0,
    earlierBounces: [],
  };
  const facts: OutcomeFacts = { claim, outcome, ...noFailure };
  const metadata = { ambiguous: true, restored: true, category: 'ambiguous', reply: error };
  const changes = leaveInDoubt(facts, { ...metadata, attempt: claim.attempts + 1, next_attempt_at: null });
  return [...changes, ...reportChanges(claim, changes, { handedOver: null, isPassedOn: false })];
}

/** Handles a lost reply to the final dot. The peer may have the message, so a retry depends on settings, is late and is flagged. */
function ambiguous(
  facts: OutcomeFacts,
  result: Extract<AttemptResult, { kind: 'ambiguous' }>,
  settings: OutcomeSettings,
): Change[] {
  const { claim, outcome } = facts;
  const policy =
    claim.type === 'transactional' ? settings.ambiguousTransactional : settings.ambiguousMarketing;
  const mayRetry = policy === 'retry' && claim.ambiguousAttempts < settings.ambiguousRetryLimit;
  const nextAt = outcome.at + settings.ambiguousHoldMs;
  const metadata = {
    ambiguous: true,
    attempt: claim.attempts + 1,
    category: 'ambiguous',
    reply: result.error,
    source: outcome.source,
    ...describePeer(result.peer),
    next_attempt_at: mayRetry ? new Date(nextAt).toISOString() : null,
  };
  if (!mayRetry) return leaveInDoubt(facts, metadata);
  return [
    ...sentEntries(facts),
    advance(claim, 'sent', attempted(facts)),
    recordAttempt(facts, 'ambiguous', nextAt),
    append(facts, 'deferred', 'provider', { metadata }),
    requeue(facts, nextAt, { attempts: claim.attempts + 1, ambiguous: claim.ambiguousAttempts + 1 }),
  ];
}

// ---- refused ----

/** Retries or bounces a refused message. */
function refused(facts: OutcomeFacts, failure: Failure, settings: OutcomeSettings): Change[] {
  const { claim, outcome } = facts;
  const { verdict } = failure;
  const { otherSource } = facts;
  if (otherSource?.isOpen === true)
    return deferred(facts, failure, settings, { at: outcome.at, step: claim.retryStep });
  if (verdict.disposition === 'fail') {
    return bounced(facts, { failure, category: verdict.category, isLate: false }, settings);
  }
  const isBlock = isAddressBlock(verdict.category, failure.code);
  const decision = decideRetry({
    category: verdict.category,
    code: failure.code,
    step: claim.retryStep,
    blockedAttempts: isBlock ? claim.blockedAttempts + 1 : 0,
    now: outcome.at,
    jitter: facts.jitter,
    scheduleMs: settings.retryScheduleMs,
    greylistMs: [settings.greylistRetryMs, 2 * settings.greylistRetryMs],
    blockedRetryMs: settings.blockedRetryMs,
    blockedRetries: settings.blockedRetries,
    replyText: failure.text,
    expiresAt: claim.expiresAt,
    firstDueAt: claim.scheduledAt ?? claim.createdAt,
  });
  if (decision.kind === 'expired') {
    // A mailbox that remains full keeps its category, because five such bounces in two weeks suppress the address.
    const category = verdict.category === 'quota' ? 'quota' : 'expired';
    return bounced(facts, { failure, category, isLate: true }, settings);
  }
  if (decision.kind === 'give_up') {
    return bounced(facts, { failure, category: verdict.category, isLate: false }, settings);
  }
  // A refusal by the whole destination pauses the destination, so the message's retry schedule does not advance.
  const step = isDestinationWide(outcome.result) ? claim.retryStep : decision.step;
  return deferred(facts, failure, settings, { at: decision.at, step });
}

function deferred(
  facts: OutcomeFacts,
  failure: Failure,
  settings: OutcomeSettings,
  next: { at: number; step: number },
): Change[] {
  const { claim, outcome } = facts;
  const isBlock = isAddressBlock(failure.verdict.category, failure.code);
  const blocked = claim.blockedAttempts + (isBlock ? 1 : 0);
  const metadata = {
    ...describeRefusal(facts, failure),
    ...(outcome.at - (claim.scheduledAt ?? claim.createdAt) >= settings.delayWarningMs
      ? { delayed: true }
      : {}),
    next_attempt_at: new Date(next.at).toISOString(),
  };
  return [
    advance(claim, 'sent', attempted(facts)),
    recordAttempt(facts, 'deferred', next.at),
    append(facts, 'deferred', 'provider', { metadata }),
    requeue(facts, next.at, { attempts: claim.attempts + 1, blocked, step: next.step }),
  ];
}

function describeRefusal({ claim, outcome }: OutcomeFacts, failure: Failure): Record<string, unknown> {
  return {
    attempt: claim.attempts + 1,
    phase: failure.phase,
    category: failure.verdict.category,
    code: failure.code,
    enhanced_code: failure.enhanced,
    reply: failure.text,
    source: outcome.source,
    ...describePeer(failure.peer),
  };
}

function bounced(
  facts: OutcomeFacts,
  why: { failure: Failure; category: BounceCategory; isLate: boolean },
  settings: OutcomeSettings,
): Change[] {
  const { claim, outcome } = facts;
  const { failure, category } = why;
  const type = bounceType(category);
  const error: ErrorDetail = {
    type,
    category,
    code: failure.code,
    enhanced_code: failure.enhanced,
    message: why.isLate ? `Not delivered in time. Last reply: ${failure.text}` : failure.text,
    remote_host: failure.peer?.host ?? null,
    occurred_at: new Date(outcome.at).toISOString(),
  };
  const earlier = facts.earlierBounces.filter((bounce) => bounce.category === category).map(({ at }) => at);
  const { suppress } = failure.verdict;
  const suppresses =
    suppress === 'now' ||
    (suppress === 'repeated' && repeatSuppresses({ category, earlier, now: outcome.at }));
  // Only mail with a sender has consequences, because many mailboxes that accept mail reject reports.
  const consequences = suppresses
    ? addSuppression(claim, 'bounce', outcome.at, error)
    : recheckDomain(facts, category, settings);
  return [
    advance(claim, 'bounced', { ...attempted(facts), error: JSON.stringify(error) }),
    recordAttempt(facts, 'bounced', null),
    append(facts, 'bounced', 'provider', {
      metadata: { ...describeRefusal(facts, failure), category, type, reason: bounceReason(category) },
    }),
    dequeueMessage({ messageId: claim.messageId }),
    ...(claim.nullSender ? [] : consequences),
  ];
}

/** Schedules a second lookup of a domain without DNS records. Its addresses are only suppressed if that fails as well. */
function recheckDomain(
  { claim, outcome }: OutcomeFacts,
  category: BounceCategory,
  settings: OutcomeSettings,
): Change[] {
  if (category !== 'bad_domain' || outcome.result.kind !== 'unroutable') return [];
  const row = {
    message_id: claim.messageId,
    environment_id: claim.environmentId,
    domain: claim.domain,
    due_at: outcome.at + settings.deadDomainRecheckMs,
  };
  return [insert(addressRechecks, { conflict: 'ignore', row })];
}

// ---- rows ----

function append(
  { claim, outcome }: OutcomeFacts,
  event: TrailEvent,
  actor: 'system' | 'provider',
  detail: EventDetail,
): Change {
  return auditTrailEntry(claim, { event, actor, at: outcome.at, detail });
}

type Reached = 'sending' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'suppressed';
type Columns = MessageColumns;

function advance(claim: Claim, to: Reached, set?: Columns): Change {
  const from = statusesThatMayBecome(to);
  return advanceMessage({ messageId: claim.messageId, to, from, ...(set ? { set } : {}) });
}

function requeue(
  { claim, outcome, otherSource }: OutcomeFacts,
  dueAt: number,
  change: {
    attempts?: number;
    ambiguous?: number;
    blocked?: number;
    step?: number;
  },
): Change {
  return requeueMessage({
    messageId: claim.messageId,
    dueAt,
    attempts: change.attempts ?? claim.attempts,
    ambiguousAttempts: change.ambiguous ?? claim.ambiguousAttempts,
    blockedAttempts: change.blocked ?? claim.blockedAttempts,
    retryStep: change.step ?? claim.retryStep,
    source: otherSource?.name ?? outcome.source,
    holdReason: null,
  });
}

/** Marks a message as `sending` when the copy of its first attempt is signed. */
export function sendingStarted(claim: Claim, at: number): Change[] {
  if (claim.status !== 'queued') return [];
  claim.status = 'sending';
  return [
    advance(claim, 'sending', { dated_at: at }),
    auditTrailEntry(claim, { event: 'sending', actor: 'system', at }),
  ];
}

/** Adds the trail entries `sending` and `sent` with the first attempt, unless they exist. */
function sentEntries(facts: OutcomeFacts, metadata?: Record<string, unknown>): Change[] {
  const { claim, outcome } = facts;
  if (claim.provider !== null) return [];
  const at = outcome.handedAt ?? outcome.at;
  const extra = {
    ...metadata,
    ...(facts.share === null ? {} : { route_share: facts.share }),
    ...(facts.note === null ? {} : { via: outcome.source, why: facts.note }),
  };
  const detail = {
    provider: outcome.via,
    provider_message_id: providerMessageId(claim.publicId),
    ...(Object.keys(extra).length > 0 ? { metadata: extra } : {}),
  };
  const sent = auditTrailEntry(claim, { event: 'sent', actor: 'system', at, detail });
  if (claim.status !== 'queued') return [sent];
  return [auditTrailEntry(claim, { event: 'sending', actor: 'system', at: facts.startedAt ?? at }), sent];
}

/** Columns of the message, other than its status, that an attempt changes. */
function attempted({ claim, outcome, share }: OutcomeFacts): Columns {
  return {
    updated_at: outcome.at,
    ...(outcome.signedAt === null ? {} : { signed_at: outcome.signedAt }),
    ...(claim.provider === null && outcome.datedAt !== null ? { dated_at: outcome.datedAt } : {}),
    ...(claim.provider === null
      ? {
          provider: outcome.via,
          provider_message_id: providerMessageId(claim.publicId),
          ...(share === null ? {} : { route: share.route }),
        }
      : {}),
  };
}

function describePeer(peer: Peer | null): Record<string, unknown> {
  if (!peer) return {};
  const tls = peer.tls && {
    tls_version: peer.tls.version,
    tls_cipher: peer.tls.cipher,
    tls_verified: peer.tls.verified,
  };
  return {
    remote_host: peer.host,
    remote_address: peer.address,
    ...(tls ?? { tls_version: null }),
    tls_policy: peer.tlsPolicy,
  };
}

/** Clears the Date of a message that was prepared but not attempted, because its first attempt sets it. */
function withoutDate({ messageId, status, provider }: Claim): Change[] {
  if (status === 'queued' || provider !== null) return [];
  return [amendMessage({ messageId, set: { dated_at: null } })];
}

/** Returns an unattempted message to its queue with unchanged counters. */
export function backToQueue(
  claim: Claim,
  { dueAt = claim.dueAt, holdReason = null }: { dueAt?: number; holdReason?: string | null } = {},
): Change {
  const { messageId, attempts, ambiguousAttempts, blockedAttempts, retryStep, source } = claim;
  const counters = { attempts, ambiguousAttempts, blockedAttempts, retryStep, source };
  return requeueMessage({ messageId, dueAt, ...counters, holdReason });
}

/** Moves an unattempted message to the queue of one side of its route. */
export function toQueueOfSide(
  { messageId, environmentId, subTenantId, domain, rank }: Claim,
  side: RouteSide,
): Change {
  return moveToSide({ messageId, environmentId, subTenantKey: subTenantId ?? '', domain, rank, side });
}

/** Longest stored conversation, in characters. The peer determines its length. */
const CONVERSATION_CAP = 16_384;

function recordAttempt(
  { claim, outcome, failure, share }: OutcomeFacts,
  ended: AttemptDetail['outcome'],
  nextAt: number | null,
): Change {
  const { result } = outcome;
  const peer: Peer | null = 'peer' in result ? result.peer : null;
  const reply = result.kind === 'accepted' ? result.reply : null;
  const detail: AttemptDetail = {
    outcome: ended,
    phase: failure?.phase ?? 'dot',
    code: reply?.code ?? failure?.code ?? null,
    enhanced_code: reply?.enhanced ?? failure?.enhanced ?? null,
    category: failure?.verdict.category ?? (ended === 'ambiguous' ? 'ambiguous' : null),
    reply: reply?.text ?? failure?.text ?? (result.kind === 'ambiguous' ? result.error : ''),
    source: outcome.source,
    via: outcome.via,
    host: peer?.host ?? null,
    address: peer?.address ?? null,
    local_address: peer?.localAddress ?? null,
    tls: peer?.tls ? { ...peer.tls, policy: peer.tlsPolicy } : null,
    tls_policy: peer?.tlsPolicy ?? null,
    times: outcome.times,
    duration_ms: outcome.handedAt === null ? null : outcome.at - outcome.handedAt,
    next_attempt_at: nextAt === null ? null : new Date(nextAt).toISOString(),
    ...(share === null ? {} : { route_share: share }),
  };
  return recordAttemptChange({
    messageId: claim.messageId,
    about: aboutAttempt(claim, { provider: peer?.provider ?? null, sizeBytes: outcome.sizeBytes }),
    number: claim.attempts + 1,
    at: outcome.at,
    sessionId: outcome.sessionId,
    detail: JSON.stringify(detail),
    conversation: outcome.conversation?.slice(0, CONVERSATION_CAP) ?? null,
  });
}

/** Facts about an attempt that are not part of its row. */
export function aboutAttempt(
  { publicId, subTenantId, mode, toEmail, toKey, campaignId, domain, traceparent }: Claim,
  more: Pick<AttemptAbout, 'provider' | 'sizeBytes'>,
): AttemptAbout {
  return { publicId, subTenantId, mode, toEmail, toKey, campaignId, domain, traceparent, ...more };
}

/** Stores a session once for all its attempts. */
export function sessionRow({ id, at, ...detail }: OpenedSession): Change {
  return insert(smtpSessions, { conflict: 'ignore', row: { id, at, detail: JSON.stringify(detail) } });
}

/** Removes a message that may have been delivered from the queue. It remains in doubt. */
export function dequeueInDoubt({ messageId }: Claim, at: number): Change[] {
  return [
    amendMessage({ messageId, set: { in_doubt_at: at, updated_at: at } }),
    dequeueMessage({ messageId }),
  ];
}

/** Cancels a campaign's copy whose recipient is skipped. A copy that may have been delivered remains in doubt instead. */
export function skipCopy(
  claim: Claim,
  skipped: SkippedCopy,
  { at, skipRecipient }: { at: number; skipRecipient: SkipRecipient },
): Change[] {
  const { campaignId, reason } = skipped;
  if (claim.ambiguousAttempts > 0) return dequeueInDoubt(claim, at);
  return [...cancel(claim, { campaign_id: campaignId, reason }, at), ...skipRecipient(skipped)];
}

/** Cancels a message. One that may have been delivered remains in doubt instead. */
function cancel(claim: Claim, metadata: Record<string, unknown>, at: number): Change[] {
  if (claim.ambiguousAttempts > 0) return dequeueInDoubt(claim, at);
  const { messageId } = claim;
  return [
    advanceMessage({
      messageId,
      to: 'canceled',
      from: statusesThatMayBecome('canceled'),
      set: { updated_at: at },
    }),
    auditTrailEntry(claim, { event: 'canceled', actor: 'system', at, detail: { metadata } }),
    dequeueMessage({ messageId }),
  ];
}
