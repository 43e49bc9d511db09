// Delivery reports due to the submitters of relayed mail.
import type { DsnAction } from '../../lib/dsn/dsn-part.js';
import type { Engine } from '../../store/engine/engine.js';
import type { Update, Change, NewEvent, ReportDue } from '../../store/plan.js';
import { readDsnOptions } from '../../lib/dsn/dsn-options.js';
import { reportDue, type OutcomeEvent, type DeliveryOutcome } from './reports-due.rules.js';
import type { MessageTrailEvent } from '../../contract/names.js';

/** A report that waits. */
export interface WaitingReport {
  message_id: number;
  action: DsnAction;
  /** JSON: what it says about the recipient. */
  detail: string;
  attempts: number;
  due_at: number;
  /** JSON: what the submitter asked for; null when the message is gone. */
  dsn: string | null;
  /** When we give up trying to deliver the message; null when it has left the queue. */
  retry_until: number | null;
}

const DUE = `SELECT r.message_id, r.action, r.detail, r.attempts, r.due_at, m.dsn, q.expires_at AS retry_until
  FROM delivery_reports r LEFT JOIN messages m ON m.id = r.message_id LEFT JOIN queue q ON q.message_id = r.message_id
  WHERE r.due_at IS NOT NULL AND r.due_at <= ? ORDER BY r.due_at, r.message_id LIMIT ? + 0`;

export function createDeliveryReportStore(engine: Engine) {
  return {
    /** Reports that are due, the oldest first. */
    async due(now: number, limit: number): Promise<WaitingReport[]> {
      return (await engine.rows(DUE, [now, limit])) as unknown as WaitingReport[];
    },
  };
}

/** Refused with `conflict` when somebody else has dealt with the report meanwhile. The row stays: it keeps the same news from being sent twice. */
export function setReport(
  { message_id, action, due_at }: WaitingReport,
  set: { due_at: number | null; attempts?: number },
): Update {
  return {
    kind: 'update',
    table: 'delivery_reports',
    set,
    where: { message_id, action, due_at },
    otherwise: { code: 'conflict' },
  };
}

// The changes that make delivery reports due to the submitter of a relayed message.
/** A message, and what its submitter asked for (JSON; null for mail that was not relayed). */
interface ReportSubject {
  messageId: number;
  dsn: string | null;
}

/** The delivery report that a settlement makes due, read off the trail entries in its changes; none for most mail. */
export function reportChanges(
  { messageId, dsn }: ReportSubject,
  changes: readonly Change[],
  known: Partial<Omit<DeliveryOutcome, 'events'>> = {},
): Change[] {
  if (dsn === null) return [];
  const entries = changes.flatMap((change) =>
    change.kind === 'append' && change.event.messageId === messageId ? [change.event] : [],
  );
  return dueReports(dsn, entries, known).map((due) => ({ kind: 'report-due', messageId, ...due }));
}

/** The same of a message that is not kept yet, read off the entries that it brings along. */
export function dueReports(
  dsn: string | null,
  entries: readonly Omit<NewEvent, 'messageId'>[],
  known: Partial<Omit<DeliveryOutcome, 'events'>> = {},
): Omit<ReportDue, 'kind' | 'messageId'>[] {
  const options = readDsnOptions(dsn);
  if (options === null) return [];
  const events = entries.map(({ event, occurredAt, detail }): OutcomeEvent => ({
    // A message's entries carry no tenant events.
    event: event as MessageTrailEvent,
    occurredAt,
    metadata: detail?.metadata ?? null,
  }));
  const outcome = { events, handedOver: null, isPassedOn: false, reported: null, ...known };
  // Options without NOTIFY are stored only where the operator wants failures reported. A second report of the same action is
  // dropped where it is kept.
  const due = reportDue(outcome, { options, mode: 'failure', isDelayReported: false });
  const at = events.at(-1)?.occurredAt ?? known.handedOver?.occurredAt;
  if (due === null || at === undefined) return [];
  return [{ action: due.action, at, detail: JSON.stringify(due) }];
}
