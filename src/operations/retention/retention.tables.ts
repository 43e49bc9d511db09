// Tables with the progress of retention.
import type { RetentionMode } from './retention.rules.js';
import { instant, int, table, text } from '../../database/columns.js';

export const retentionCursors = table('retention_cursors', {
  environment_id: int(),
  /** Row id of the last message that was read. */
  done_up_to: int(),
  /** Mode that was applied up to that message. */
  mode: text<RetentionMode>(),
});

/** A message behind the cursor that was in progress, or whose recipient may still unsubscribe. */
export const retentionLeft = table('retention_left', {
  message_id: int(),
  environment_id: int(),
  due_at: instant(),
});
