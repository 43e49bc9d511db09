// Imports and exports as /v1 shows them.
import type { ExportWire } from './export.schema.js';
import type { ImportWire } from './import.schema.js';
import type { Transfer } from './transfers.store.js';
import { exportOptions, importOptions, importProgress } from './transfer-record.js';
import type { ExportPresenters } from './export-sources.js';
import type { Cursors } from '../api/cursors.js';
import { presentExported } from '../contacts/contact.view.js';
import { presentEvent } from '../events/event.view.js';
import { presentMessage } from '../messages/message.view.js';
import { presentSuppression } from '../suppressions/suppression.view.js';
import { iso } from '../contract/time.js';

/** What stands in exported files is what the API answers. */
export function exportPresenters(cursors: Pick<Cursors, 'eventId'>): ExportPresenters {
  return {
    contacts: presentExported,
    messages: presentMessage,
    events: (row, scope) => presentEvent(row, scope, cursors),
    suppressions: presentSuppression,
  };
}

function shared(row: Transfer) {
  return {
    status: row.status,
    format: row.format,
    sub_tenant_id: row.sub_tenant_id,
    total: row.total,
    processed: row.processed,
    error: row.error,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    finished_at: row.finished_at === null ? null : iso(row.finished_at),
  };
}

export function presentImport(row: Transfer): ImportWire {
  const { mode, tags, dryRun, list } = importOptions(row);
  const { skipped, notRejoined } = importProgress(row);
  return {
    id: row.id,
    object: 'import',
    ...shared(row),
    list_id: list?.id ?? null,
    mode,
    tags: [...tags],
    dry_run: dryRun,
    size_bytes: row.size_bytes,
    processed_bytes: row.done_bytes,
    created: row.created,
    updated: row.updated,
    unchanged: row.processed - row.created - row.updated - row.failed - skipped,
    skipped,
    not_rejoined: notRejoined,
    failed: row.failed,
  };
}

export function presentExport(row: Transfer): ExportWire {
  const { asked, ...wanted } = exportOptions(row);
  const contacts = wanted.kind === 'contacts' ? wanted : null;
  const [status, ...others] = contacts?.filter.status ?? [];
  return {
    id: row.id,
    object: 'export',
    kind: wanted.kind,
    ...shared(row),
    list_id: contacts?.list?.id ?? null,
    tag: contacts?.tag ?? null,
    contact_status: others.length > 0 ? null : (status ?? null),
    filters: asked,
    size_bytes: row.size_bytes,
  };
}
