// Cancels the queued messages of a forwarding that has ended. The queue cancels those that a worker has, or that are planned just now,
// before their next attempt.
import type { Actor } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { auditTrailEntry, auditTrailSubject } from '../../events/audit-trail-entry.store.js';
import type { MessageContext } from '../context.js';
import { advanceMessage, dequeueMessage } from '../message-changes.store.js';
import { statusesThatMayBecome } from '../state.rules.js';
import type { ForwardedMessage } from './forwards.store.js';
import { type ForwardingEnd, type InboxForward, readTrace } from './forwards.tables.js';

/** Messages that are read together. */
const BATCH = 100;
const TAKEN = { code: 'message_not_cancelable' } as const;

export interface CancelContext extends Pick<MessageContext, 'store' | 'clock' | 'wakeUps'> {
  config: Pick<MessageContext['config'], 'queueLifetimeMs'>;
}

interface Ending {
  reason: ForwardingEnd;
  actor: Actor;
}

export async function cancelForwarded(
  context: CancelContext,
  forward: Pick<InboxForward, 'id' | 'environment_id' | 'address_key'>,
  ending: Ending,
): Promise<void> {
  const { store, clock, wakeUps, config } = context;
  // Older messages have left the queue.
  const since = clock() - config.queueLifetimeMs;
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const found = await store.forwards.onTheirWay(forward, { before, limit: BATCH });
    const waiting = found.filter(
      (one) => one.waits === 1 && readTrace(one.forward)?.forward_id === forward.id,
    );
    await Promise.all(waiting.map((one) => cancel(context, one, { ...ending, forward })));
    if (waiting.length > 0) wakeUps.events();
    const last = found.at(-1);
    if (last === undefined || found.length < BATCH || last.created_at < since) return;
    before = last.id;
  }
}

async function cancel(
  { store, clock }: CancelContext,
  message: ForwardedMessage,
  { forward, reason, actor }: Ending & { forward: Pick<InboxForward, 'environment_id'> },
): Promise<void> {
  const { id: messageId, workspaceNumber } = message;
  const at = clock();
  const subject = auditTrailSubject(message, { environmentId: forward.environment_id, workspaceNumber });
  try {
    await store.commitAlone([
      dequeueMessage({ messageId, unleased: TAKEN }),
      advanceMessage({
        ...{ messageId, to: 'canceled', from: statusesThatMayBecome('canceled'), set: { updated_at: at } },
      }),
      auditTrailEntry(subject, { event: 'canceled', actor, at, detail: { metadata: { reason } } }),
    ]);
  } catch (error) {
    // A worker has taken it meanwhile.
    if (!(error instanceof Refusal && error.code === TAKEN.code)) throw error;
  }
}
