// An outcome becomes rows: status, queue row, trail, suppression, in one plan. Pure but for the clock's value it is given.
import type { ErrorDetail } from '../../contract/names.js';
import type { AttemptResult, Peer, Reply } from './attempt.rules.js';
import { suppressedMetadata } from '../../suppressions/suppression.rules.js';
import type { Change, EventDetail } from '../../store/plan.js';
import { reportChanges } from '../../relay/delivery-reports/report-plan.store.js';
import { recordAttempt } from './attempt-record.js';
import { refused } from './record-failure.js';
import { skipCopy } from './skip-copy.js';
import {
  advance,
  append,
  attempted,
  describePeer,
  handed,
  requeue,
  type Columns,
  type OutcomeFacts,
  type OutcomeSettings,
} from './outcome-rows.js';

/** The changes that make an outcome durable, with the report that it makes due to the submitter of a relayed message. */
export function settle(facts: OutcomeFacts, settings: OutcomeSettings): Change[] {
  const changes = changesOf(facts, settings);
  const { result } = facts.outcome;
  const isPassedOn = result.kind === 'accepted' && result.tellsSuccess === true;
  return [...changes, ...reportChanges(facts.claim, changes, { handedOver: handedOver(facts), isPassedOn })];
}

/** A smarthost's 250 ends our part without a word in the trail. */
function handedOver({
  outcome,
}: OutcomeFacts): { occurredAt: number; metadata: Record<string, unknown> } | null {
  const { result, via, at } = outcome;
  if (result.kind !== 'accepted' || via !== 'smarthost') return null;
  const metadata = { code: result.reply.code, reply: result.reply.text, ...describePeer(result.peer) };
  return { occurredAt: at, metadata };
}

function changesOf(facts: OutcomeFacts, settings: OutcomeSettings): Change[] {
  const { claim, outcome } = facts;
  const { result } = outcome;
  switch (result.kind) {
    case 'unattempted':
      // Its place in the lane stays its own.
      return [requeue(facts, claim.dueAt, { source: claim.source })];
    case 'held':
      // A stopped sub-tenant's mail keeps its place: it goes on when the gate opens for it, in its order.
      return [
        requeue(facts, result.reason === 'tenant' ? claim.dueAt : outcome.at + settings.holdMs, {
          source: claim.source,
          holdReason: `${result.reason}: ${result.message}`,
        }),
      ];
    case 'suppressed':
      return end(facts, 'suppressed', { metadata: suppressedMetadata(result.reason, result.topic ?? null) });
    case 'skipped':
      return skipCopy(claim, result, outcome.at);
    case 'failed':
      return failed(facts, result);
    case 'accepted':
      return [...handed(facts), recordAttempt(facts, 'delivered', null), ...accepted(facts, result)];
    case 'ambiguous':
      return ambiguous(facts, result, settings);
    case 'refused':
    case 'unreachable':
    case 'unroutable':
      return facts.failure ? [...handed(facts), ...refused(facts, facts.failure, settings)] : [];
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
  const gone: Change = { kind: 'dequeue', messageId: claim.messageId };
  // A smarthost's 250 is its promise, not the recipient's server's.
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
    { kind: 'dequeue', messageId: claim.messageId },
  ];
}

/** The dot was written and no reply seen: the peer may have the message. A second copy is sent rarely, late, and flagged. */
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
  if (!mayRetry) {
    const gone: Change = { kind: 'dequeue', messageId: claim.messageId };
    const told =
      claim.provider === null
        ? handed(facts, metadata)
        : [append(facts, 'deferred', 'provider', { metadata })];
    const doubtful = { ...attempted(facts), in_doubt_at: outcome.at };
    return [...told, advance(claim, 'sent', doubtful), recordAttempt(facts, 'ambiguous', null), gone];
  }
  return [
    ...handed(facts),
    advance(claim, 'sent', attempted(facts)),
    recordAttempt(facts, 'ambiguous', nextAt),
    append(facts, 'deferred', 'provider', { metadata }),
    requeue(facts, nextAt, { attempts: claim.attempts + 1, ambiguous: claim.ambiguousAttempts + 1 }),
  ];
}
