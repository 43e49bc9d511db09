// Retries one message now, unless its receiver asked for a delay.
import { Refusal } from '../../contract/refusal.js';
import { iso } from '../../contract/time.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';
import { auditTrailEntry, auditTrailSubject } from '../../events/audit-trail-entry.store.js';
import { trailActor, type Caller } from '../../http/access/caller.js';
import { addressDomain } from '../../lib/mime/index.js';
import type { Message } from '../../messages/messages.store.js';
import { queue } from '../../messages/queue.tables.js';
import type { OutboundApiContext } from '../context.js';
import { askedWaitMs } from './retry-schedule.rules.js';
import type { QueueEntry } from './queue-view.store.js';

/** Refused with `conflict` if the message cannot be retried, and with `rate_limited` before the time that its receiver asked for. */
export async function retryMessage(
  {
    store,
    config,
    traffic,
    wakeUps,
    clock,
  }: Pick<OutboundApiContext, 'store' | 'config' | 'traffic' | 'wakeUps' | 'clock'>,
  caller: Caller,
  message: Message,
): Promise<void> {
  const entry = await store.queueView.entry(message);
  const now = clock();
  const problem = retryProblem(entry, now);
  if (entry === null && (await store.approvals.pendingOf(message)) !== null) {
    throw new Refusal('conflict', 'The message is waiting for approval.');
  }
  if (entry === null || problem !== null) throw new Refusal('conflict', problem ?? undefined);
  if (entry.dueAt > now) {
    const last = (await store.attempts.attemptsOf(message)).attempts.at(-1);
    const asked = last === undefined ? 0 : last.at + askedWaitMs(last.detail, config);
    // No longer than it would wait without the request.
    const until = Math.min(asked, entry.dueAt);
    if (until > now) {
      const text = `The recipient's mail server asked to wait until ${iso(until)}.`;
      throw new Refusal('rate_limited', text, { retryAfterSeconds: Math.ceil((until - now) / 1_000) });
    }
    await store.commit(retryPlan(caller, message, entry, now));
    wakeUps.events();
  }
  // The sandbox reaches no server.
  if (caller.scope.mode === 'live') traffic.probe(addressDomain(message.to_email));
  traffic.notify([entry.queueId]);
}

const IN_DELIVERY = 'The message is being delivered now.';

/** Why a message cannot be retried now; null when it can. */
function retryProblem(entry: QueueEntry | null, now: number): string | null {
  if (entry === null) return 'The message is not in the queue. To send a finished message again, resend it.';
  if (entry.leaseUntil !== null) return IN_DELIVERY;
  const isScheduled = entry.attempts === 0 && entry.holdReason === null && entry.dueAt > now;
  return isScheduled ? 'The message is scheduled for later. Reschedule it to send it now.' : null;
}

function retryPlan(caller: Caller, found: Message, entry: QueueEntry, now: number): Change[] {
  return [
    update(queue, {
      set: { due_at: now },
      where: { message_id: found.id, lease_until: null },
      otherwise: { code: 'conflict', message: IN_DELIVERY },
    }),
    auditTrailEntry(auditTrailSubject(found, caller.scope), {
      event: 'rescheduled',
      actor: trailActor(caller),
      at: now,
      detail: { metadata: { retry: true, previous: iso(entry.dueAt) } },
    }),
  ];
}
