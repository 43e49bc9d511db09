// The end of a message that no reply ended: its time is over, or somebody took it from the queue.
import type { Actor, ErrorDetail } from '../../contract/names.js';
import { auditTrailEntry } from '../../events/audit-trail-entry.store.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import { reportChanges } from '../../messages/relayed/due-reports.js';
import type { Claim } from '../schedule/queue.store.js';
import { bounceReason } from './bounce-class.rules.js';
import type { Change } from '../../database/change.js';
import { advanceMessage, dequeueMessage } from '../../messages/message-changes.store.js';

/** The last reply that a peer gave, or the words that stand for it. */
export interface LastReply {
  text: string;
  code: number | null;
  enhanced: string | null;
  host: string | null;
}

export interface GiveUp {
  at: number;
  actor: Actor;
  /** The sentence of the message's error. */
  message: string;
  reply: LastReply;
  metadata?: Record<string, unknown>;
}

/** Bounces the message as `expired`, takes it from the queue, and makes the report due that its submitter asked for. */
export function giveUp(claim: Claim, { at, actor, message, reply, metadata }: GiveUp): Change[] {
  const { messageId } = claim;
  const { text, code, enhanced, host } = reply;
  const category = 'expired';
  const type = 'soft';
  const reason = bounceReason(category);
  const error: ErrorDetail = {
    type,
    category,
    code,
    enhanced_code: enhanced,
    message,
    remote_host: host,
    occurred_at: new Date(at).toISOString(),
  };
  const detail = {
    metadata: {
      category,
      type,
      reason,
      code,
      enhanced_code: enhanced,
      reply: text,
      remote_host: host,
      ...metadata,
    },
  };
  const changes: Change[] = [
    advanceMessage({
      messageId,
      to: 'bounced',
      from: statusesThatMayBecome('bounced'),
      set: { error: JSON.stringify(error), updated_at: at },
    }),
    auditTrailEntry(claim, { event: 'bounced', actor, at, detail }),
    dequeueMessage({ messageId }),
  ];
  return [...changes, ...reportChanges(claim, changes)];
}
