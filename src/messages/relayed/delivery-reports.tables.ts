// Table of delivery reports for submitters of relayed messages.
import type { DsnAction } from '../../lib/dsn/index.js';
import { instant, int, json, nullable, table, text } from '../../database/columns.js';

/** A delivery report for the submitter of a relayed message; one of each action. */
export const deliveryReports = table('delivery_reports', {
  message_id: int(),
  action: text<DsnAction>(),
  at: instant(),
  /** JSON: the report's data about the recipient. */
  detail: json(),
  attempts: int(),
  /** `null` after the report was queued or given up. */
  due_at: nullable(instant()),
});
