// The options and the progress of a bulk action, as stored in its row.
import type { Actor } from '../contract/names.js';
import type { BulkAction, BulkFailure } from './bulk-action.schema.js';
import type { SUPPRESSION_REASONS } from '../suppressions/suppression.schema.js';
import type { ContactFilter } from '../contacts/contacts.store.js';
import type { MessageFilter } from '../messages/messages.store.js';
import type { Transfer } from './transfers.tables.js';
import type { Consent } from '../contacts/contact-changes.store.js';

/** The action on each row, with its fields. */
export interface BulkDeed {
  action: BulkAction;
  tags: readonly string[];
  reason: (typeof SUPPRESSION_REASONS)[number];
  /** The list that contacts join or leave, and the request as evidence of consent. Absent for other actions. */
  list?: { id: string; number: number; consent: Consent };
  /** The actor in the audit trails of messages. */
  actor: Actor;
  /** The API key that asked for it; null without one. */
  keyId: string | null;
}

/** The filter in the store's form. `null` if nothing can match. */
export type BulkFilter =
  | { target: 'messages'; filter: MessageFilter | null }
  | { target: 'contacts'; filter: ContactFilter | null };

export interface BulkOptions {
  deed: BulkDeed;
  wanted: BulkFilter;
  /** The filter as the request had it. */
  asked: Record<string, unknown>;
  /** The newest row id at the time of the request. Objects created later are not changed. */
  newest: number;
}

/** Beside the columns of the row. */
export interface BulkProgress {
  /** The key of the last page that was read. */
  after: string | null;
  /** Everything is found, and is in the file. */
  isFound: boolean;
  /** Octets of the file that are done. */
  offset: number;
  failures: readonly BulkFailure[];
}

export const bulkOptions = ({ options }: Pick<Transfer, 'options'>): BulkOptions =>
  JSON.parse(options) as BulkOptions;

export function bulkProgress(transfer: Pick<Transfer, 'position' | 'options'>): BulkProgress {
  if (transfer.position !== null) return JSON.parse(transfer.position) as BulkProgress;
  const after = String(bulkOptions(transfer).newest + 1);
  return { after, isFound: false, offset: 0, failures: [] };
}

const MOST_FAILURES = 20;

/** Refusals by their code; the codes above the limit are left out. */
export function addFailures(
  known: readonly BulkFailure[],
  found: readonly { code: string; message: string }[],
): BulkFailure[] {
  const byCode = new Map(known.map((failure) => [failure.code, { ...failure }]));
  for (const { code, message } of found) {
    const failure = byCode.get(code);
    if (failure) failure.count += 1;
    else if (byCode.size < MOST_FAILURES) byCode.set(code, { code, message, count: 1 });
  }
  return [...byCode.values()];
}
