// An outcome becomes rows: status, queue row, trail, suppression, in one plan. Pure but for the clock's value it is given.
import type { BounceCategory, ErrorDetail, TrailEvent } from '../../contract/names.js';
import type { BounceRules, ReplyPhase } from '../../rules/bounce-class.js';
import { bounceType, classifyReply, type ReplyVerdict } from '../../rules/disposition.js';
import { statusesThatMayBecome } from '../../rules/message-state.js';
import { nextAttemptAt, retryOrExpire } from '../../rules/retry-schedule.js';
import { repeatSuppresses } from '../../rules/suppression.js';
import type { Change, EventDetail } from '../../store/plan.js';
import type { Claim } from '../../store/queue.js';
import type { AttemptResult, Outcome, Peer, Reply } from './outcome.js';
import { addSuppression } from './suppress.js';

export interface SettleSettings {
  retryScheduleMs: readonly number[];
  ambiguousHoldMs: number;
  ambiguousTransactional: 'retry' | 'leave_sent';
  ambiguousMarketing: 'retry' | 'leave_sent';
  ambiguousRetryLimit: number;
  /** How long a held message waits before it is looked at again. */
  holdMs: number;
  rules: BounceRules;
}

/** What settling needs besides the outcome. */
export interface SettleFacts {
  claim: Claim;
  outcome: Outcome;
  /** When its copy was signed, if no earlier report said so. */
  startedAt: number | null;
  /** In [0, 1): spreads retries. */
  jitter: number;
  /** Earlier bounces of the same address, for bounces that suppress only together. */
  earlierBounces: readonly { category: string; at: number }[];
}

/** The changes that make an outcome durable. */
export function settle(facts: SettleFacts, settings: SettleSettings): Change[] {
  const { claim, outcome } = facts;
  const { result } = outcome;
  switch (result.kind) {
    case 'unattempted':
      return [requeue(claim, outcome.at, {})];
    case 'held':
      return [
        requeue(claim, outcome.at + settings.holdMs, { holdReason: `${result.reason}: ${result.message}` }),
      ];
    case 'suppressed':
      return end(facts, 'suppressed', { metadata: { reason: result.reason } });
    case 'failed':
      return failed(facts, result);
    case 'accepted':
      return [...handed(facts), ...accepted(facts, result)];
    case 'ambiguous':
      return ambiguous(facts, result, settings);
    case 'refused':
    case 'unreachable':
    case 'unroutable':
      return [...handed(facts), ...refused(facts, refusalOf(result, settings.rules), settings)];
  }
}

/** What a peer, the network or the DNS said against the message, in one shape. */
interface Refusal {
  verdict: ReplyVerdict;
  phase: ReplyPhase | 'route';
  code: number | null;
  enhanced: string | null;
  text: string;
  peer: Peer | null;
}

function refusalOf(
  result: Extract<AttemptResult, { kind: 'refused' | 'unreachable' | 'unroutable' }>,
  rules: BounceRules,
): Refusal {
  switch (result.kind) {
    case 'refused': {
      const { phase, reply, peer } = result;
      const { code, enhanced, text } = reply;
      const verdict = classifyReply({ phase, code, enhanced, text, provider: peer.provider }, rules);
      return { verdict, phase, code, enhanced, text, peer };
    }
    case 'unreachable':
      return {
        verdict: { disposition: 'retry', category: 'network', suppress: false },
        phase: result.phase,
        code: null,
        enhanced: '4.4.1',
        text: result.error,
        peer: result.peer,
      };
    case 'unroutable':
      return {
        // A domain without DNS is not suppressed by one look: registrars have bad days.
        verdict: {
          disposition: result.permanent ? 'fail' : 'retry',
          category: result.category,
          suppress: false,
        },
        phase: 'route',
        code: null,
        enhanced: result.enhanced,
        text: result.message,
        peer: null,
      };
  }
}

function appendAt(
  claim: Claim,
  event: TrailEvent,
  actor: 'system' | 'provider',
  occurredAt: number,
  detail?: EventDetail,
): Change {
  return {
    kind: 'append',
    event: {
      environmentId: claim.environmentId,
      workspaceNumber: claim.workspaceNumber,
      messageId: claim.messageId,
      subjectId: claim.publicId,
      event,
      actor,
      occurredAt,
      ...(detail ? { detail } : {}),
    },
  };
}

function append(
  { claim, outcome }: SettleFacts,
  event: TrailEvent,
  actor: 'system' | 'provider',
  detail: EventDetail,
): Change {
  return appendAt(claim, event, actor, outcome.at, detail);
}

type Reached = 'sending' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'suppressed';
type Columns = Extract<Change, { kind: 'amend' }>['set'];

function advance(claim: Claim, to: Reached, set?: Columns): Change {
  const from = statusesThatMayBecome(to);
  return { kind: 'advance', messageId: claim.messageId, to, from, ...(set ? { set } : {}) };
}

function requeue(
  claim: Claim,
  dueAt: number,
  change: { attempts?: number; ambiguous?: number; holdReason?: string },
): Change {
  return {
    kind: 'requeue',
    messageId: claim.messageId,
    dueAt,
    attempts: change.attempts ?? claim.attempts,
    ambiguousAttempts: change.ambiguous ?? claim.ambiguousAttempts,
    holdReason: change.holdReason ?? null,
  };
}

/** Id by which our queue knows the message, for the remote's postmaster and ours. */
function queueId(claim: Claim): string {
  return claim.messageId.toString(36);
}

/** `sending`, once the copy of a first attempt is signed. */
export function sendingStarted(claim: Claim, at: number): Change[] {
  if (claim.status !== 'queued') return [];
  claim.status = 'sending';
  return [advance(claim, 'sending'), appendAt(claim, 'sending', 'system', at)];
}

/** `sending` and `sent` in the trail, once, no later than the first attempt's outcome. */
function handed(facts: SettleFacts, metadata?: Record<string, unknown>): Change[] {
  const { claim, outcome } = facts;
  if (claim.provider !== null) return [];
  const at = outcome.handedAt ?? outcome.at;
  const detail = {
    provider: outcome.via,
    provider_message_id: queueId(claim),
    ...(metadata ? { metadata } : {}),
  };
  const started =
    claim.status === 'queued' ? [appendAt(claim, 'sending', 'system', facts.startedAt ?? at)] : [];
  return [...started, appendAt(claim, 'sent', 'system', at, detail)];
}

/** What an attempt leaves on the message besides its status. */
function attempted({ claim, outcome }: SettleFacts): Columns {
  return {
    updated_at: outcome.at,
    ...(outcome.signedAt === null ? {} : { signed_at: outcome.signedAt }),
    ...(claim.provider === null ? { provider: outcome.via, provider_message_id: queueId(claim) } : {}),
  };
}

function describePeer(peer: Peer | null): Record<string, unknown> {
  if (!peer) return {};
  const tls = peer.tls && {
    tls_version: peer.tls.version,
    tls_cipher: peer.tls.cipher,
    tls_verified: peer.tls.verified,
  };
  return { remote_host: peer.host, remote_address: peer.address, ...(tls ?? { tls_version: null }) };
}

function accepted(facts: SettleFacts, result: { reply: Reply; peer: Peer }): Change[] {
  const { claim, outcome } = facts;
  const metadata = {
    attempt: claim.attempts + 1,
    code: result.reply.code,
    reply: result.reply.text,
    ...describePeer(result.peer),
  };
  const gone: Change = { kind: 'dequeue', messageId: claim.messageId };
  // A smarthost's 250 is its promise, not the recipient's server's.
  if (outcome.via === 'smarthost') return [advance(claim, 'sent', attempted(facts)), gone];
  return [
    advance(claim, 'delivered', attempted(facts)),
    append(facts, 'delivered', 'provider', { metadata }),
    gone,
  ];
}

function refused(facts: SettleFacts, refusal: Refusal, settings: SettleSettings): Change[] {
  const { claim, outcome } = facts;
  const { verdict } = refusal;
  const attempts = claim.attempts + 1;
  if (verdict.disposition === 'fail') return bounced(facts, refusal, verdict.category, verdict.suppress);
  const nextAt = nextAttemptAt({
    attempt: attempts,
    scheduleMs: settings.retryScheduleMs,
    now: outcome.at,
    jitter: facts.jitter,
    replyText: refusal.text,
  });
  const decision = retryOrExpire({ now: outcome.at, nextAt, expiresAt: claim.expiresAt });
  if (decision.kind === 'expired') return bounced(facts, refusal, 'expired', false);
  return [
    advance(claim, 'sent', attempted(facts)),
    append(facts, 'deferred', 'provider', {
      metadata: {
        ...describeRefusal(refusal, attempts),
        next_attempt_at: new Date(decision.at).toISOString(),
      },
    }),
    requeue(claim, decision.at, { attempts }),
  ];
}

function describeRefusal(refusal: Refusal, attempt: number): Record<string, unknown> {
  return {
    attempt,
    phase: refusal.phase,
    category: refusal.verdict.category,
    code: refusal.code,
    enhanced_code: refusal.enhanced,
    reply: refusal.text,
    ...describePeer(refusal.peer),
  };
}

function bounced(
  facts: SettleFacts,
  refusal: Refusal,
  category: BounceCategory,
  clearlyGone: boolean,
): Change[] {
  const { claim, outcome } = facts;
  const type = bounceType(category);
  const error: ErrorDetail = {
    type,
    category,
    code: refusal.code,
    enhanced_code: refusal.enhanced,
    message:
      category === 'expired' ? `Not delivered in time. The last answer: ${refusal.text}` : refusal.text,
    remote_host: refusal.peer?.host ?? null,
    occurred_at: new Date(outcome.at).toISOString(),
  };
  const earlier = facts.earlierBounces.filter((bounce) => bounce.category === category).map(({ at }) => at);
  const suppresses = clearlyGone || repeatSuppresses({ category, earlier, now: outcome.at });
  return [
    advance(claim, 'bounced', { ...attempted(facts), error: JSON.stringify(error) }),
    append(facts, 'bounced', 'provider', {
      metadata: { ...describeRefusal(refusal, claim.attempts + 1), category, type },
    }),
    { kind: 'dequeue', messageId: claim.messageId },
    ...(suppresses ? addSuppression(claim, 'bounce', outcome.at) : []),
  ];
}

function failed(facts: SettleFacts, result: Extract<AttemptResult, { kind: 'failed' }>): Change[] {
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
  facts: SettleFacts,
  status: 'suppressed' | 'failed',
  detail: EventDetail,
  set: Columns = {},
): Change[] {
  const { claim, outcome } = facts;
  return [
    advance(claim, status, { ...set, updated_at: outcome.at }),
    append(facts, status, 'system', detail),
    { kind: 'dequeue', messageId: claim.messageId },
  ];
}

/** The dot was written and no reply seen: the peer may have the message. A second copy is sent rarely, late, and flagged. */
function ambiguous(
  facts: SettleFacts,
  result: Extract<AttemptResult, { kind: 'ambiguous' }>,
  settings: SettleSettings,
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
    ...describePeer(result.peer),
    next_attempt_at: mayRetry ? new Date(nextAt).toISOString() : null,
  };
  if (!mayRetry) {
    const gone: Change = { kind: 'dequeue', messageId: claim.messageId };
    const told =
      claim.provider === null
        ? handed(facts, metadata)
        : [append(facts, 'deferred', 'provider', { metadata })];
    return [...told, advance(claim, 'sent', attempted(facts)), gone];
  }
  return [
    ...handed(facts),
    advance(claim, 'sent', attempted(facts)),
    append(facts, 'deferred', 'provider', { metadata }),
    requeue(claim, nextAt, { attempts: claim.attempts + 1, ambiguous: claim.ambiguousAttempts + 1 }),
  ];
}
