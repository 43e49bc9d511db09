// Mail whose lifetime has ended while it could not even be attempted: a destination that stays out of reach is asked by one
// message at a time, and the others must not wait behind it for ever. What we hold ourselves is not the destination's
// fault, and goes on waiting.
import { bounceReason } from '../outcome/bounce-reason.rules.js';
import type { ErrorDetail } from '../../contract/names.js';
import type { LimitReason } from '../explain/explain-facts.rules.js';
import { expiresAt, type Lifetimes } from './retry-schedule.rules.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import type { Change, Committed } from '../../store/plan.js';
import type { Claim, QueueKey } from './queue.store.js';
import { reportChanges } from '../../relay/delivery-reports/report-plan.store.js';
import type { Store } from '../../store/store.js';
import { auditTrailEntry } from '../../events/audit-trail-entry.store.js';

const BATCH = 200;
/** Mail that we hold is looked at again after this time. */
const LONGER_MS = 3_600_000;
const OUR_OWN: readonly LimitReason['code'][] = [
  'paused',
  'tenant_paused',
  'tenant_dns_suspended',
  'tenant_throttled',
  'warm_up',
  'no_source',
  'concurrency_limited',
];

export interface ExpireDeps {
  store: Pick<Store, 'queue' | 'attempts' | 'commit'>;
  clock: Clock;
  log: Log;
  owner: string;
  leaseMs: number;
  graceMs: number;
  lifetimes: Lifetimes;
  /** Why the lane's mail does not go; null when it may. */
  why: (lane: QueueKey) => LimitReason | null;
  onCommitted: (committed: Committed) => void;
}

/** Bounces what is overdue, or gives what we hold more time. Counts what bounced. */
export async function expireOverdue(deps: ExpireDeps): Promise<number> {
  const { store, clock, owner } = deps;
  let expired = 0;
  for (;;) {
    const now = clock();
    const before = now - deps.graceMs;
    const claims = await store.queue.claimOverdue({
      before,
      leaseUntil: now + deps.leaseMs,
      owner,
      limit: BATCH,
    });
    const plan: Change[] = [];
    for (const claim of claims) {
      const why = deps.why(laneOf(claim));
      if (mayWaitLonger(claim, why, deps.lifetimes)) {
        plan.push(...giveTime(claim, now));
        continue;
      }
      expired += 1;
      const bounced = bounce(claim, now, await lastWords(deps, claim, why));
      plan.push(...bounced, ...reportChanges(claim, bounced));
    }
    if (plan.length > 0) deps.onCommitted(await store.commit(plan));
    if (claims.length < BATCH) break;
  }
  if (expired > 0) deps.log.info({ expired }, 'overdue mail bounced');
  return expired;
}

function laneOf({ queueId, environmentId, mode, subTenantId, domain, rank }: Claim): QueueKey {
  return { queueId, environmentId, mode, subTenantKey: subTenantId ?? '', domain, rank };
}

/** What was never attempted because of us keeps waiting, unless its sender has set the end. */
function mayWaitLonger(claim: Claim, why: LimitReason | null, lifetimes: Lifetimes): boolean {
  const isOurs = claim.heldFor !== null || (why !== null && OUR_OWN.includes(why.code));
  if (!isOurs) return false;
  const firstDueAt = claim.scheduledAt ?? claim.createdAt;
  return claim.expiresAt >= expiresAt({ firstDueAt, type: claim.type, lifetimes });
}

function giveTime(claim: Claim, now: number): Change[] {
  const { messageId, dueAt, attempts, ambiguousAttempts, blockedAttempts, retryStep, source, heldFor } =
    claim;
  const counters = { attempts, ambiguousAttempts, blockedAttempts, retryStep, source };
  return [
    {
      kind: 'update',
      table: 'queue',
      set: { expires_at: now + LONGER_MS },
      where: { message_id: messageId },
    },
    { kind: 'requeue', messageId, dueAt, ...counters, holdReason: heldFor },
  ];
}

interface LastWords {
  text: string;
  code: number | null;
  enhanced: string | null;
  host: string | null;
}

async function lastWords({ store }: ExpireDeps, claim: Claim, why: LimitReason | null): Promise<LastWords> {
  const last = claim.attempts > 0 ? await store.attempts.newestAmong([claim.messageId]) : null;
  if (last) {
    const { reply, code, enhanced_code: enhanced, host } = last.detail;
    return { text: reply, code, enhanced, host };
  }
  return {
    text: why?.detail ?? claim.heldFor ?? 'it was not attempted',
    code: null,
    enhanced: null,
    host: null,
  };
}

function bounce(claim: Claim, now: number, { text, code, enhanced, host }: LastWords): Change[] {
  const { messageId } = claim;
  const error: ErrorDetail = {
    type: 'soft',
    category: 'expired',
    code,
    enhanced_code: enhanced,
    message: `Not delivered in time. The last answer: ${text}`,
    remote_host: host,
    occurred_at: new Date(now).toISOString(),
  };
  const metadata = {
    category: 'expired',
    type: 'soft',
    reason: bounceReason('expired'),
    code,
    enhanced_code: enhanced,
    reply: text,
    remote_host: host,
  };
  return [
    {
      kind: 'advance',
      messageId,
      to: 'bounced',
      from: statusesThatMayBecome('bounced'),
      set: { error: JSON.stringify(error), updated_at: now },
    },
    auditTrailEntry(claim, { event: 'bounced', actor: 'system', at: now, detail: { metadata } }),
    { kind: 'dequeue', messageId },
  ];
}
