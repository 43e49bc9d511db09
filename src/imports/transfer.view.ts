// Imports and exports as /v1 shows them.
import { wireOf } from '../contract/codec.js';
import { exportObject } from './export.schema.js';
import { contactImport } from './import.schema.js';
import { exportOptions, importOptions, importProgress } from './transfer-record.js';
import type { ExportPresenters } from './export-sources.js';
import type { Cursors } from '../http/lists/cursors.js';
import { presentExported } from '../contacts/contact.view.js';
import { presentEvent } from '../feed/event.view.js';
import { presentMessage } from '../messages/message.view.js';
import { presentSuppression } from '../suppressions/suppression.view.js';
import type { Transfer } from './transfers.tables.js';

/** Exported files contain the objects that the API answers. */
export function exportPresenters(cursors: Pick<Cursors, 'eventId'>): ExportPresenters {
  return {
    contacts: presentExported,
    messages: presentMessage,
    events: (row, scope) => presentEvent(row, scope, cursors),
    suppressions: presentSuppression,
  };
}

export const presentImport = wireOf(contactImport).from<Transfer>({
  list_id: (row) => importOptions(row).list?.id ?? null,
  mode: (row) => importOptions(row).mode,
  tags: (row) => [...importOptions(row).tags],
  dry_run: (row) => importOptions(row).dryRun,
  processed_bytes: 'done_bytes',
  unchanged: (row) => row.processed - row.created - row.updated - row.failed - importProgress(row).skipped,
  skipped: (row) => importProgress(row).skipped,
  opted_out: (row) => importProgress(row).optedOut ?? 0,
  warnings: (row) => [...(importOptions(row).warnings ?? [])],
  not_rejoined: (row) => importProgress(row).notRejoined,
});

/** The list, the tag and the one status of an export of contacts; empty for other kinds. */
function contactsOf(row: Transfer) {
  const wanted = exportOptions(row);
  if (wanted.kind !== 'contacts') return { list: null, tag: null, status: null };
  const [status = null, ...others] = wanted.filter.status ?? [];
  return { list: wanted.list, tag: wanted.tag, status: others.length > 0 ? null : status };
}

export const presentExport = wireOf(exportObject).from<Transfer>({
  kind: (row) => exportOptions(row).kind,
  list_id: (row) => contactsOf(row).list?.id ?? null,
  tag: (row) => contactsOf(row).tag ?? null,
  contact_status: (row) => contactsOf(row).status,
  filters: (row) => exportOptions(row).asked,
});
