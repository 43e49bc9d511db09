// Ends mail that expired without an attempt: an unreachable destination is probed by one message at a time, and the others must
// not wait forever. Mail held by Mailkeel's own limits keeps waiting.
import type { EngineContext } from '../context.js';
import { queue as queueTable } from '../../messages/queue.tables.js';
import { giveUp, type LastReply } from '../outcome/give-up.js';
import type { LimitReason } from '../explain/explain-facts.rules.js';
import { expiresAt, type Lifetimes } from '../../messages/lifetime.rules.js';
import type { Claim, QueueKey } from './queue.store.js';
import { backToQueue } from '../outcome/outcome-plan.js';
import type { TrafficShaper } from '../shape/traffic-shaper.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';

const BATCH = 200;
/** Extension (ms) of the lifetime of mail held by Mailkeel's own limits. */
const EXTENSION_MS = 3_600_000;
/** Whether the limit is Mailkeel's own, so that the lifetime of held mail is extended. */
const IS_OWN_LIMIT: Readonly<Record<LimitReason['code'], boolean>> = {
  outbound_held: true,
  paused: true,
  tenant_paused: true,
  tenant_dns_suspended: true,
  destination_suspended: false,
  tenant_suspended: false,
  circuit_open: false,
  rate_limited: false,
  concurrency_limited: true,
  tenant_throttled: true,
  warm_up: true,
  source_unreachable: false,
  source_suspended: true,
  no_source: true,
};

type ExpireContext = Pick<EngineContext, 'store' | 'config' | 'owner' | 'onCommitted' | 'clock' | 'log'>;

/** Bounces expired mail, or extends its lifetime if Mailkeel holds it. Returns the number of bounced messages. */
export async function expireOverdue(
  context: ExpireContext,
  shaper: Pick<TrafficShaper, 'reasonFor' | 'mayJudge'>,
): Promise<number> {
  const { store, config, owner, onCommitted, clock, log } = context;
  let expired = 0;
  let skip = 0;
  for (;;) {
    const now = clock();
    const before = now - config.expiryGraceMs;
    const claims = await store.queue.claimOverdue({
      before,
      leaseUntil: now + config.queueLeaseMs,
      owner,
      limit: BATCH,
      skip,
    });
    const plan: Change[] = [];
    for (const claim of claims) {
      const queue = queueKey(claim);
      // Only the node that delivers it knows why it waits.
      if (!shaper.mayJudge(queue)) {
        plan.push(backToQueue(claim, { holdReason: claim.heldFor }));
        skip += 1;
        continue;
      }
      const reason = shaper.reasonFor(queue);
      if (mayWaitLonger(claim, reason, config)) {
        plan.push(...extendLifetime(claim, now));
        continue;
      }
      expired += 1;
      const reply = await readLastReply(context, claim, reason);
      const message = `Not delivered in time. Last reply: ${reply.text}`;
      plan.push(...giveUp(claim, { at: now, actor: 'system', message, reply }));
    }
    if (plan.length > 0) onCommitted(await store.commit(plan));
    if (claims.length < BATCH) break;
  }
  if (expired > 0) log.info({ expired }, 'expired messages bounced');
  return expired;
}

function queueKey({ queueId, environmentId, mode, subTenantId, domain, rank, side }: Claim): QueueKey {
  return { queueId, environmentId, mode, subTenantKey: subTenantId ?? '', domain, rank, side };
}

/** A message held by Mailkeel keeps waiting unless its sender has set `expires_at`. */
function mayWaitLonger(claim: Claim, reason: LimitReason | null, lifetimes: Lifetimes): boolean {
  const isOurs = claim.heldFor !== null || (reason !== null && IS_OWN_LIMIT[reason.code]);
  return isOurs && !hasSendersEnd(claim, lifetimes);
}

/** Whether the sender has set the end of the lifetime. */
export function hasSendersEnd(claim: Claim, lifetimes: Lifetimes): boolean {
  const firstDueAt = claim.scheduledAt ?? claim.createdAt;
  return claim.expiresAt < expiresAt({ firstDueAt, type: claim.type, lifetimes });
}

function extendLifetime(claim: Claim, now: number): Change[] {
  return [
    update(queueTable, { set: { expires_at: now + EXTENSION_MS }, where: { message_id: claim.messageId } }),
    backToQueue(claim, { holdReason: claim.heldFor }),
  ];
}

async function readLastReply(
  { store }: ExpireContext,
  claim: Claim,
  reason: LimitReason | null,
): Promise<LastReply> {
  const last = claim.attempts > 0 ? await store.attempts.newestAmong([claim.messageId]) : null;
  if (last) {
    const { reply, code, enhanced_code: enhanced, host } = last.detail;
    return { text: reply, code, enhanced, host };
  }
  return {
    text: reason?.detail ?? claim.heldFor ?? 'it was not attempted',
    code: null,
    enhanced: null,
    host: null,
  };
}
