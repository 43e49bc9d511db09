// Makes delivery reports due to the submitter of a relayed message.
import type { MessageTrailEvent } from '../../contract/names.js';
import { readDsnOptions } from '../../lib/dsn/index.js';
import { reportDue, type DeliveryOutcome, type OutcomeEvent } from './reports-due.rules.js';
import type { Change } from '../../database/change.js';
import { type NewEvent, appendEvent } from '../../events/append.store.js';
import { type ReportDue, makeReportDue } from '../accept/accept.store.js';

/** A message, and what its submitter asked for (JSON; null for mail that was not relayed). */
interface ReportSubject {
  messageId: number;
  dsn: string | null;
}

/** Finds the delivery report that is due after an outcome, from the trail entries in its changes. Most mail has none. */
export function reportChanges(
  { messageId, dsn }: ReportSubject,
  changes: readonly Change[],
  known: Partial<Omit<DeliveryOutcome, 'events'>> = {},
): Change[] {
  if (dsn === null) return [];
  const entries = changes.flatMap((change) =>
    appendEvent.is(change) && change.event.messageId === messageId ? [change.event] : [],
  );
  return dueReports(dsn, entries, known).map((due) => makeReportDue({ messageId, ...due }));
}

/** Like `reportChanges`, for a new message, from its own audit trail entries. */
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
  // Options without NOTIFY are stored only if the operator wants failures reported. A second report of the same action is dropped
  // when it is stored.
  const due = reportDue(outcome, { options, mode: 'failure', isDelayReported: false });
  const at = events.at(-1)?.occurredAt ?? known.handedOver?.occurredAt;
  if (due === null || at === undefined) return [];
  return [{ action: due.action, at, detail: JSON.stringify(due) }];
}
