// Ends messages that expired or that a person removed from the queue.
import type { Actor, ErrorDetail } from '../../contract/names.js';
import { auditTrailEntry } from '../../events/audit-trail-entry.store.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import { reportChanges } from '../../messages/relayed/due-reports.js';
import type { Claim } from '../schedule/queue.store.js';
import { bounceReason } from './bounce-class.rules.js';
import type { Change } from '../../database/change.js';
import { advanceMessage, dequeueMessage } from '../../messages/message-changes.store.js';

/** The last reply of a peer, or a text in place of it. */
export interface LastReply {
  text: string;
  code: number | null;
  enhanced: string | null;
  host: string | null;
}

interface GiveUp {
  at: number;
  actor: Actor;
  /** The text of the message's error. */
  message: string;
  reply: LastReply;
  metadata?: Record<string, unknown>;
}

/** Bounces the message as `expired`, removes it from the queue, and schedules the report that its submitter requested. */
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
