// Delivery reports due to the submitters of relayed mail.
import type { DsnAction } from '../../lib/dsn/index.js';
import type { Engine } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';
import { deliveryReports } from '../../messages/relayed/delivery-reports.tables.js';

/** A report that waits. */
export interface WaitingReport {
  message_id: number;
  action: DsnAction;
  /** JSON: the report's data about the recipient. */
  detail: string;
  attempts: number;
  due_at: number;
  /** JSON: the submitter's options; null if the message was deleted. */
  dsn: string | null;
  /** When delivery attempts end; null if the message has left the queue. */
  retry_until: number | null;
}

const DUE = `SELECT r.message_id, r.action, r.detail, r.attempts, r.due_at, m.dsn, q.expires_at AS retry_until
  FROM delivery_reports r LEFT JOIN messages m ON m.id = r.message_id LEFT JOIN queue q ON q.message_id = r.message_id
  WHERE r.due_at IS NOT NULL AND r.due_at <= ? ORDER BY r.due_at, r.message_id LIMIT ?`;

export function createDeliveryReportStore(engine: Engine) {
  return {
    /** Reports that are due, the oldest first. */
    async due(now: number, limit: number): Promise<WaitingReport[]> {
      return rowsAs<WaitingReport>(engine.rows(DUE, [now, limit]));
    },
  };
}

/**
 * Refused with `conflict` if another process has handled the report in the meantime. The row is kept, so that the same report is
 * not sent twice.
 */
export function setReport(
  { message_id, action, due_at }: WaitingReport,
  set: { due_at: number | null; attempts?: number },
): Change {
  return update(deliveryReports, {
    set,
    where: { message_id, action, due_at },
    otherwise: { code: 'conflict' },
  });
}
