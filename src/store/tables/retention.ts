// How far the forgetting of old messages has come, and what stays of those that are gone.
import type { MessageStatus } from '../../contract/names.js';
import type { RetentionMode } from '../../operations/retention/retention.rules.js';
import type { Instant } from './columns.js';

export interface RetentionCursorTable {
  environment_id: number;
  /** Row id of the last message that was read. */
  done_up_to: number;
  /** What was done with the messages up to there. */
  mode: RetentionMode;
}

/** A message behind the cursor that was at work, or whose recipient may still unsubscribe. */
export interface RetentionLeftTable {
  message_id: number;
  environment_id: number;
  due_at: Instant;
}

/** Messages of a campaign that are gone, by the status that they had. */
export interface DeletedMessagesTable {
  campaign_id: string;
  status: MessageStatus;
  messages: number;
}
