// Finds the messages that a plan ends without an attempt, for the delivery log.
import type { EndedMessage } from './delivery-line.rules.js';
import type { Plan } from '../../database/change.js';
import { recordAttempt, advanceMessage } from '../../messages/message-changes.store.js';
import { appendEvent } from '../../events/append.store.js';

/** Returns messages that a plan ends without an attempt: canceled, purged, expired, blocked, or failed before a connection. */
export function endedMessages(plan: Plan): EndedMessage[] {
  const attempted = new Set<number>();
  const ended = new Map<number, EndedMessage['outcome']>();
  for (const change of plan) {
    if (recordAttempt.is(change)) attempted.add(change.messageId);
    if (!advanceMessage.is(change)) continue;
    const outcome = OUTCOMES[change.to];
    if (outcome !== undefined) ended.set(change.messageId, outcome);
  }
  if (ended.size === 0) return [];
  return plan.flatMap((change) => {
    if (!appendEvent.is(change)) return [];
    const { messageId, subjectId: publicId, event, actor, occurredAt: at } = change.event;
    if (messageId === null || attempted.has(messageId)) return [];
    const outcome = ended.get(messageId);
    // A bounce that was reported later ends a message that had an attempt.
    if (outcome === undefined || outcome !== OUTCOMES[event] || actor === 'provider') return [];
    return [{ publicId, outcome, actor, at }];
  });
}

/** Outcomes by status, and by the event of the same name. */
const OUTCOMES: Readonly<Record<string, EndedMessage['outcome']>> = {
  bounced: 'expired',
  canceled: 'canceled',
  failed: 'failed',
  suppressed: 'suppressed',
};
