// After a refusal: when to try again, or the bounce and what it means for the address.
import { bounceReason } from './bounce-reason.rules.js';
import type { BounceCategory, ErrorDetail } from '../../contract/names.js';
import { isDestinationWide } from './attempt.rules.js';
import { bounceType } from './disposition.rules.js';
import { decideRetry, isAddressBlock } from '../schedule/retry-schedule.rules.js';
import { repeatSuppresses } from '../../suppressions/suppression.rules.js';
import type { Change } from '../../store/plan.js';
import { addSuppression } from '../../suppressions/suppression-plan.store.js';
import { recordAttempt } from './attempt-record.js';
import type { Failure } from './failure.js';
import {
  advance,
  append,
  attempted,
  describePeer,
  requeue,
  type OutcomeFacts,
  type OutcomeSettings,
} from './outcome-rows.js';

/** A message that was refused is tried again, or bounces. */
export function refused(facts: OutcomeFacts, failure: Failure, settings: OutcomeSettings): Change[] {
  const { claim, outcome } = facts;
  const { verdict } = failure;
  if (verdict.disposition === 'fail') {
    return bounced(
      facts,
      { failure, category: verdict.category, clearlyGone: verdict.suppress, isLate: false },
      settings,
    );
  }
  const isBlock = isAddressBlock(verdict.category, failure.code);
  const blocked = isBlock ? claim.blockedAttempts + 1 : claim.blockedAttempts;
  const decision = decideRetry({
    category: verdict.category,
    code: failure.code,
    step: claim.retryStep,
    blockedAttempts: isBlock ? blocked : 0,
    now: outcome.at,
    jitter: facts.jitter,
    scheduleMs: settings.retryScheduleMs,
    greylistMs: settings.greylistMs,
    blockedRetryMs: settings.blockedRetryMs,
    blockedRetries: settings.blockedRetries,
    replyText: failure.text,
    expiresAt: claim.expiresAt,
    firstDueAt: claim.scheduledAt ?? claim.createdAt,
  });
  if (decision.kind === 'expired') {
    // A mailbox that stayed full is named as such: five of them in two weeks suppress the address.
    const category = verdict.category === 'quota' ? 'quota' : 'expired';
    return bounced(facts, { failure, category, clearlyGone: false, isLate: true }, settings);
  }
  if (decision.kind === 'give_up') {
    return bounced(
      facts,
      { failure, category: verdict.category, clearlyGone: false, isLate: false },
      settings,
    );
  }
  // What the whole destination refused is its pause, not this message's: its own schedule stays where it is.
  const step = isDestinationWide(outcome.result) ? claim.retryStep : decision.step;
  const metadata = {
    ...describeRefusal(facts, failure),
    ...(outcome.at - (claim.scheduledAt ?? claim.createdAt) >= settings.delayWarningMs
      ? { delayed: true }
      : {}),
    next_attempt_at: new Date(decision.at).toISOString(),
  };
  return [
    advance(claim, 'sent', attempted(facts)),
    recordAttempt(facts, 'deferred', decision.at),
    append(facts, 'deferred', 'provider', { metadata }),
    requeue(facts, decision.at, { attempts: claim.attempts + 1, blocked, step }),
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
  why: { failure: Failure; category: BounceCategory; clearlyGone: boolean; isLate: boolean },
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
    message: why.isLate ? `Not delivered in time. The last answer: ${failure.text}` : failure.text,
    remote_host: failure.peer?.host ?? null,
    occurred_at: new Date(outcome.at).toISOString(),
  };
  const earlier = facts.earlierBounces.filter((bounce) => bounce.category === category).map(({ at }) => at);
  // A server without space says nothing about the mailbox.
  const isHostFull = failure.enhanced?.endsWith('.3.1') === true;
  const suppresses =
    why.clearlyGone || (!isHostFull && repeatSuppresses({ category, earlier, now: outcome.at }));
  // Many a mailbox that takes mail takes no reports.
  const consequences = suppresses
    ? addSuppression(claim, 'bounce', outcome.at)
    : recheckDomain(facts, category, settings);
  return [
    advance(claim, 'bounced', { ...attempted(facts), error: JSON.stringify(error) }),
    recordAttempt(facts, 'bounced', null),
    append(facts, 'bounced', 'provider', {
      metadata: { ...describeRefusal(facts, failure), category, type, reason: bounceReason(category) },
    }),
    { kind: 'dequeue', messageId: claim.messageId },
    ...(claim.nullSender ? [] : consequences),
  ];
}

/** Registrars have bad days: a domain that the DNS calls dead suppresses its addresses only when it is still dead later. */
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
  return [{ kind: 'insert', into: 'address_rechecks', conflict: 'ignore', row }];
}
