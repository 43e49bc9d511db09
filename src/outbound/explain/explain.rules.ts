// Explains a message's status: the chain from acceptance to now, the next step, and advice. It only reads facts and decides nothing
// about the mail.
import type { AttemptDetail } from '../../messages/attempt.schema.js';
import {
  CAUSE_TEXTS,
  fillIn,
  SITUATIONS,
  type AdviceCode,
  type Fillings,
  type Situation,
} from './explain-advice.rules.js';
import type { AdviceCall } from './advice-calls.rules.js';
import { adviceFor } from './advice-reach.rules.js';
import { CAUSES, causeOf, speaksOfBlocklist, type Cause, type Obstacle } from './explain-cause.rules.js';
import { chainOf, type ChainEntry } from './explain-chain.rules.js';
import type { BlockingSuppression, ExplainFacts, LimitCode, TrailFact } from './explain-facts.rules.js';

/** State of the message after a failed attempt: waiting for the next, refused for good, or out of time. */
const ENDINGS = ['deferred', 'bounced', 'expired'] as const;
type Ending = (typeof ENDINGS)[number];
export type ExplanationCode = Situation | `${Ending}_${Cause}`;

/** Every code that an explanation may have; not every pair of ending and cause occurs. */
export const EXPLANATION_CODES: readonly ExplanationCode[] = [
  ...(Object.keys(SITUATIONS) as Situation[]),
  ...ENDINGS.flatMap((ending) => CAUSES.map((cause): ExplanationCode => `${ending}_${cause}`)),
];

const GRAVEST_FIRST: readonly BlockingSuppression['reason'][] = [
  'complaint',
  'unsubscribe',
  'bounce',
  'manual',
];
const LIFTS: readonly AdviceCode[] = ['lift_suppression', 'lift_and_wait'];

export interface Explanation {
  code: ExplanationCode;
  /** One plain sentence. */
  summary: string;
  chain: ChainEntry[];
  /** Next automatic step, with its time; null when there is none, or when no time is set for it. */
  next: { at: number; what: string } | null;
  advice: { code: AdviceCode; text: string; calls: AdviceCall[] }[];
}

/** Explains a message. Texts of peers are quoted in the chain, never in the summary. */
export function explain(given: ExplainFacts): Explanation {
  // Explains the gravest suppression, because the advice lifts all of them.
  const suppressions = [...given.suppressions].sort(
    (one, other) => GRAVEST_FIRST.indexOf(one.reason) - GRAVEST_FIRST.indexOf(other.reason),
  );
  const facts = { ...given, suppressions };
  const found = findingOf(facts);
  const fillings = fillingsOf(facts);
  const summary = fillIn(summaryOf(found, facts), fillings);
  const code: ExplanationCode = found.kind === 'situation' ? found.code : `${found.ending}_${found.cause}`;
  const detail = found.kind === 'situation' ? (found.detail ?? '') : '';
  return {
    code,
    summary,
    chain: chainOf(facts, {
      code,
      text: detail === '' ? summary : `${summary.slice(0, -1)} (${detail.replace(/\.$/, '')}).`,
    }),
    next: nextOf(facts, found),
    advice: withRespect(adviceOf(found, facts), facts).map((advice) => ({
      code: advice,
      ...adviceFor(advice, fillings, facts),
    })),
  };
}

/** The situation that a closed limit makes. */
export function situationOfLimit(code: LimitCode): Situation {
  if (code === 'paused') return 'destination_paused';
  if (code === 'tenant_dns_suspended') return 'tenant_suspended';
  return code === 'tenant_suspended' ? 'tenant_destination_suspended' : code;
}

type Finding =
  | { kind: 'situation'; code: Situation; detail?: string; until?: number | null }
  /** `isReported`: a delivery report announced it, after the mail host had accepted the message. */
  | { kind: 'obstacle'; ending: Ending; cause: Cause; isReported?: boolean };

const situation = (code: Situation, detail = '', until: number | null = null): Finding => ({
  kind: 'situation',
  code,
  detail,
  until,
});

function findingOf(facts: ExplainFacts): Finding {
  const { status, isSandbox } = facts.message;
  switch (status) {
    case 'delivered':
    case 'complained':
    case 'received':
      return situation(status);
    case 'opened':
    case 'clicked':
      return situation('opened');
    case 'canceled':
      return canceledOf(facts);
    case 'suppressed':
      return isSandbox && facts.suppressions.length === 0 ? situation('simulated') : suppressedOf(facts);
    case 'bounced':
      return bouncedOf(facts);
    case 'failed':
      return failedOf(facts);
    case 'queued':
    case 'sending':
    case 'sent':
      return facts.queue ? waitingOf(facts, facts.queue) : goneOf(facts);
  }
}

function suppressedOf({ suppressions: [suppression], trail }: ExplainFacts): Finding {
  const reason = trail.findLast(({ event }) => event === 'suppressed')?.metadata['reason'];
  if (reason === 'left_list') return situation('suppressed_left_list');
  if (suppression) return situation(`suppressed_${suppression.reason}`);
  return situation('suppression_lifted', typeof reason === 'string' ? `reason: ${reason}` : '');
}

const SKIPS = new Map<unknown, Situation>([
  ['contact_deleted', 'canceled_contact_deleted'],
  ['removed_from_list', 'canceled_removed_from_list'],
  ['not_in_segment', 'canceled_not_in_segment'],
  ['forwarding_stopped', 'canceled_forwarding_stopped'],
  ['forwarding_removed', 'canceled_forwarding_removed'],
  ['rejected', 'approval_rejected'],
  ['approval_expired', 'approval_expired'],
]);

function canceledOf({ trail }: ExplainFacts): Finding {
  const reason = trail.findLast(({ event }) => event === 'canceled')?.metadata['reason'];
  return situation(SKIPS.get(reason) ?? 'canceled');
}

function bouncedOf(facts: ExplainFacts): Finding {
  const obstacle = lastObstacle(facts);
  const cause = obstacle ? causeOf(obstacle) : 'unknown';
  const isReported = obstacle?.phase === 'dsn';
  // The lifetime that was over then is that of another server's queue.
  const ending = facts.message.error?.category === 'expired' && !isReported ? 'expired' : 'bounced';
  return { kind: 'obstacle', ending, cause, isReported };
}

const FAILURES = new Map<string, Situation>([
  ['tenant', 'tenant_deleted'],
  ['sender', 'failed_sender'],
  ['too_large', 'failed_too_large'],
  ['template', 'failed_template'],
  ['signing', 'failed_signing'],
  ['routing', 'failed_routing'],
]);

function failedOf({ message }: ExplainFacts): Finding {
  const { error } = message;
  const code = FAILURES.get(error?.category ?? '');
  return situation(code ?? 'failed_fault', error?.message ?? '');
}

/** Not in the queue, and yet no end. */
function goneOf(facts: ExplainFacts): Finding {
  const { status, provider } = facts.message;
  if (facts.approval !== null) return situation('approval_pending', '', facts.approval.expiresAt);
  const last = facts.attempts.at(-1)?.detail.outcome;
  const isDoubtful =
    last === 'ambiguous' ||
    facts.trail.findLast(({ metadata }) => 'attempt' in metadata)?.metadata['ambiguous'] === true;
  if (isDoubtful && last !== 'delivered') return situation('may_have_arrived');
  if (provider === 'smarthost') return situation('handed_to_smarthost');
  return situation(status === 'sent' ? 'sent' : 'lost_from_queue');
}

function pausedOf(
  { subTenantId, reason }: NonNullable<ExplainFacts['pause']>,
  { asker }: ExplainFacts,
): Finding {
  if (subTenantId === asker.subTenantId) return situation('destination_paused', reason);
  const code = subTenantId === null ? 'destination_paused_by_workspace' : 'destination_paused_by_sub_tenant';
  return situation(code, reason);
}

function waitingOf(facts: ExplainFacts, queue: NonNullable<ExplainFacts['queue']>): Finding {
  const { now, message, suppressions, pause, limitReason } = facts;
  const [suppression] = suppressions;
  if (queue.leaseUntil !== null) {
    if (queue.leaseUntil < now) return situation('worker_lost');
    return situation(queue.dotIntentAt === null ? 'in_delivery' : 'in_delivery_unanswered');
  }
  const isLater = queue.dueAt > now;
  const isUntried = queue.attempts === 0;
  if (queue.holdReason?.startsWith('campaign:')) return situation('campaign_stopped');
  if (message.isSandbox) return playedLater(facts, isUntried && isLater);
  if (suppression) return situation('suppression_pending', `suppression reason: ${suppression.reason}`);
  if (pause) return pausedOf(pause, facts);
  if (facts.tenantStatus === 'suspended') return situation('tenant_suspended');
  if (facts.tenantStatus === 'paused') return situation('tenant_paused');
  if (queue.holdReason !== null) return heldOf(queue.holdReason);
  if (isLater && isUntried) return situation('scheduled');
  // A scheduled message waits for its time first, regardless of limits.
  if (isLater) return { kind: 'obstacle', ending: 'deferred', cause: causeOfLast(facts) };
  if (limitReason)
    return situation(situationOfLimit(limitReason.code), limitReason.detail, limitReason.until);
  return situation('waiting_turn');
}

/**
 * Uses the live codes if the simulator refused or deferred. Otherwise, the sandbox simulates an outcome, unless its sub-tenant is
 * on hold.
 */
function playedLater(facts: ExplainFacts, isScheduled: boolean): Finding {
  const { tenantStatus, limitReason, attempts } = facts;
  if (tenantStatus === 'paused') return situation('tenant_paused');
  if (isScheduled) return situation('scheduled');
  if (limitReason?.code === 'tenant_throttled')
    return situation('tenant_throttled', limitReason.detail, limitReason.until);
  const isDeferred = attempts.at(-1)?.detail.outcome === 'deferred';
  return isDeferred
    ? { kind: 'obstacle', ending: 'deferred', cause: causeOfLast(facts) }
    : situation('simulated');
}

function heldOf(holdReason: string): Finding {
  const colon = holdReason.indexOf(':');
  const kind = colon < 0 ? holdReason : holdReason.slice(0, colon);
  const detail = colon < 0 ? '' : holdReason.slice(colon + 1).trim();
  if (kind === 'signing') return situation('held_signing', detail);
  if (kind === 'sender') return situation('held_sender', detail);
  return kind === 'tenant' ? situation('tenant_suspended', detail) : situation('held_fault', detail);
}

function causeOfLast(facts: ExplainFacts): Cause {
  const obstacle = lastObstacle(facts);
  return obstacle ? causeOf(obstacle) : 'unknown';
}

/** The cause of the last failed attempt. Messages from before attempts were stored have only their trail. */
function lastObstacle({ attempts, trail, message }: ExplainFacts): Obstacle | null {
  // A report may come after an attempt that delivered.
  const event = trail.findLast((entry) => entry.event === 'bounced' || entry.event === 'deferred');
  const attempt = attempts.findLast(
    ({ detail }) => detail.outcome !== 'delivered' && detail.outcome !== 'held',
  );
  // The expiry adds nothing to the last attempt and gives less detail.
  const isOver = event?.metadata['category'] === 'expired' && event.metadata['by_mail'] !== true;
  if (attempt && (!event || isOver || attempt.at >= event.at)) return obstacleOfAttempt(attempt.detail);
  if (event) return obstacleOfTrail(event, trail);
  const { error } = message;
  if (!error) return null;
  const { code, enhanced_code: enhanced, category } = error;
  return { phase: null, code, enhanced, category, text: error.message, tlsPolicy: null };
}

/** Failure of an attempt, by its record. */
export function obstacleOfAttempt(detail: AttemptDetail): Obstacle {
  const { phase, code, enhanced_code: enhanced, category, reply: text, tls, tls_policy } = detail;
  return { phase, code, enhanced, category, text, tlsPolicy: tls?.policy ?? tls_policy ?? null };
}

function obstacleOfTrail(event: TrailFact, trail: readonly TrailFact[]): Obstacle {
  const { metadata } = event;
  // After the expiry, the trail says `expired`. The deferral before it gives the reason.
  const before = trail.findLast((entry) => entry.event === 'deferred')?.metadata;
  const isReport = metadata['by_mail'] === true;
  const isOver = metadata['category'] === 'expired' && !isReport;
  const category = isOver ? before?.['category'] : metadata['category'];
  return {
    phase: isReport ? 'dsn' : textOrNull(metadata['phase']),
    code: typeof metadata['code'] === 'number' ? metadata['code'] : null,
    enhanced: textOrNull(metadata['enhanced_code']),
    category: metadata['ambiguous'] === true ? 'ambiguous' : textOrNull(category),
    text: textOrNull(metadata['reply']) ?? '',
    tlsPolicy: textOrNull(metadata['tls_policy']),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

const PLAYED_DELIVERY = 'Delivered in the sandbox by the mailbox simulator. No real mail was sent.';

function summaryOf(found: Finding, { message, queue }: ExplainFacts): string {
  if (found.kind === 'situation') {
    // A program sees `delivered` as it will with real mail; a person is not to believe that it was.
    const isPlayed = message.isSandbox && found.code === 'delivered';
    return isPlayed ? PLAYED_DELIVERY : SITUATIONS[found.code][0];
  }
  const [why] = CAUSE_TEXTS[found.cause];
  switch (found.ending) {
    case 'deferred':
      return `Not delivered yet (${tries(queue?.attempts ?? 1)}): ${why}.`;
    case 'bounced':
      return found.isReported === true
        ? `Bounced in a delivery report after the mail server had accepted the message: ${why}.`
        : `Bounced: ${why}.`;
    case 'expired':
      return `Expired after ${hours(message.updatedAt - (message.scheduledAt ?? message.createdAt))}: ${why}.`;
  }
}

function tries(count: number): string {
  return count === 1 ? '1 attempt' : `${count} attempts`;
}

function hours(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `${Math.round(minutes / 60)} hours`;
}

/** Causes that the next attempts usually overcome; only when they last is there something to do. */
const PASSES: readonly Cause[] = ['put_off', 'host_trouble'];

/** For these causes, the message itself is at fault, so resending it unchanged fails again. */
const ONLY_ANOTHER_MESSAGE: readonly AdviceCode[] = [
  'change_content',
  'remove_attachment',
  'shrink',
  'ascii_address',
];

function adviceOf(found: Finding, facts: ExplainFacts): AdviceCode[] {
  const { suppressions, attempts, limitReason } = facts;
  if (found.kind === 'situation') {
    const [, ...advice] = SITUATIONS[found.code];
    if (facts.message.isSandbox && found.code === 'delivered') return ['live_key'];
    const isListed = found.code === 'destination_suspended' && speaksOfBlocklist(found.detail ?? '');
    // A limit of the configuration cannot be lifted there.
    const possible = advice.filter(
      (one) => one !== 'remove_override' || limitReason?.overrideId !== undefined,
    );
    return isListed ? ['delist', ...possible] : possible;
  }
  const isBySmarthost = attempts.at(-1)?.detail.via === 'smarthost';
  const advice = adviceOfCause(found.cause, isBySmarthost);
  const isFaulty = advice.some((code) => ONLY_ANOTHER_MESSAGE.includes(code));
  switch (found.ending) {
    case 'deferred':
      // A second copy is a decision; `retry` is for what certainly did not arrive.
      if (found.cause === 'ambiguous') return ['wait_quietly', ...advice];
      return PASSES.includes(found.cause) ? ['wait', ...advice] : [...advice, 'wait'];
    case 'bounced':
      if (suppressions.length > 0) return [...advice, 'lift_suppression'];
      return isFaulty ? advice : [...advice, 'resend'];
    case 'expired':
      return [...advice, 'resend', 'raise_lifetime'];
  }
}

/** The recipient's wish comes before advice to lift their suppression. */
function withRespect(advice: readonly AdviceCode[], { suppressions }: ExplainFacts): AdviceCode[] {
  const isComplaint = suppressions[0]?.reason === 'complaint' && !advice.includes('respect_complaint');
  return advice.flatMap((code) =>
    isComplaint && LIFTS.includes(code) ? ['respect_complaint', code] : [code],
  );
}

/** If a smarthost was used, the smarthost replied, not the recipient's mail server. */
const NOT_OF_SMARTHOSTS: readonly AdviceCode[] = ['ask_postmaster', 'check_port_25', 'relax_tls'];

function adviceOfCause(cause: Cause, isBySmarthost: boolean): AdviceCode[] {
  const [, ...advice] = CAUSE_TEXTS[cause];
  if (!isBySmarthost) return advice.filter((code) => code !== 'check_smarthost');
  return [...new Set(advice.map((code) => (NOT_OF_SMARTHOSTS.includes(code) ? 'ask_smarthost' : code)))];
}

function nextOf({ queue, now, limitReason }: ExplainFacts, found: Finding): Explanation['next'] {
  if (found.kind === 'situation' && found.code === 'approval_pending') {
    return typeof found.until === 'number'
      ? { at: found.until, what: 'Expiry of the approval request' }
      : null;
  }
  if (!queue || queue.leaseUntil !== null) return null;
  const isUntried = queue.attempts === 0;
  const what = isUntried ? 'First delivery attempt' : `Delivery attempt ${queue.attempts + 1}`;
  if (found.kind === 'obstacle') {
    const held = limitReason?.until ?? 0;
    return { at: Math.max(queue.dueAt, held), what: lastChance(queue, what) };
  }
  const { code, until } = found;
  if (code === 'scheduled') return { at: queue.dueAt, what };
  const dueAt = Math.max(queue.dueAt, now);
  if (code === 'simulated') return { at: dueAt, what: 'Simulated event' };
  if (code === 'held_signing' || code === 'held_sender' || code === 'held_fault')
    return { at: dueAt, what: 'Another check of the message' };
  return until === undefined || until === null ? null : { at: until, what };
}

/** The end of the lifetime has its own attempt. */
function lastChance(queue: { dueAt: number; expiresAt: number }, what: string): string {
  return queue.dueAt >= queue.expiresAt ? `${what}, the last one` : what;
}

function fillingsOf({ message, attempts, limitReason, trail }: ExplainFacts): Fillings {
  const list = trail.findLast(({ event }) => event === 'suppressed')?.metadata['list'];
  const source = attempts.at(-1)?.detail.source ?? '';
  return {
    message: message.publicId,
    email: message.email,
    domain: message.domain,
    tenant: message.subTenantId,
    source: source === '' ? null : source,
    sender: message.senderId,
    campaign: message.campaignId,
    override: limitReason?.overrideId ?? null,
    list: typeof list === 'string' ? `"${list}"` : null,
  };
}
