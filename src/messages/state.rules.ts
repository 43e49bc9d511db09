// Decides how events change the status of a message. Progress never goes backwards, and a final status stays final.
import { MESSAGE_STATUSES, type MessageStatus, type MessageTrailEvent } from '../contract/names.js';

/**
 * The order of progress. A status may be skipped (an open can be the first sign of a delivery), never taken
 * back.
 */
const PROGRESS = ['queued', 'sending', 'sent', 'delivered', 'opened', 'clicked'] as const;
type Progress = (typeof PROGRESS)[number];

const rankOf = (status: string): number => PROGRESS.indexOf(status as Progress);

/** Statuses from which a final status can be reached. Any other status stays; the event is still recorded in the trail. */
const ENDS: Partial<Record<MessageTrailEvent, { status: MessageStatus; from: readonly MessageStatus[] }>> = {
  // A DSN can follow the 250. Once the recipient has acted, a bounce of a forwarded copy is irrelevant.
  bounced: { status: 'bounced', from: ['queued', 'sending', 'sent', 'delivered'] },
  complained: { status: 'complained', from: ['sending', 'sent', 'delivered', 'opened', 'clicked'] },
  failed: { status: 'failed', from: ['queued', 'sending', 'sent'] },
  // Suppression is checked again before every attempt.
  suppressed: { status: 'suppressed', from: ['queued', 'sending', 'sent'] },
  // A message on its own is canceled before it was tried; with its campaign, or its recipient, also while it waits to be
  // tried again.
  canceled: { status: 'canceled', from: ['queued', 'sending', 'sent'] },
};

/** Returns the status of a message after `event`; `current` if the event does not change it. */
export function statusAfter(current: MessageStatus, event: MessageTrailEvent): MessageStatus {
  const end = ENDS[event];
  if (end) return end.from.includes(current) ? end.status : current;
  const currentRank = rankOf(current);
  const reached = PROGRESS[rankOf(event)];
  return reached !== undefined && currentRank >= 0 && rankOf(reached) > currentRank ? reached : current;
}

/**
 * Statuses that a message may leave for `target`; the guard of an UPDATE. Empty for `queued` and
 * `received`.
 */
export function statusesThatMayBecome(target: MessageStatus): MessageStatus[] {
  return MESSAGE_STATUSES.filter((status) => status !== target && statusAfter(status, target) === target);
}
