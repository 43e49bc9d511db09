// The options and the progress of an import or export, as stored in its row.
import type { WantedEntries } from '../events/event-names.rules.js';
import type { RowFile, RowPlace } from '../lib/rows/index.js';
import type { Scope } from '../database/scope.js';
import type { OpenTransfer } from './transfers.store.js';
import type { Contact } from '../contacts/contacts.tables.js';
import type { RowFilter } from '../contacts/streams.store.js';
import type { MessageFilter } from '../messages/list.store.js';
import type { SuppressionFilter } from '../suppressions/suppressions.store.js';
import type { Column, ColumnMapping } from './contact-columns.js';
import { type Transfer, transfers } from './transfers.tables.js';
import type { Change } from '../database/change.js';
import type { Consent } from '../contacts/contact-changes.store.js';
import { update } from '../database/rows.js';

export interface ImportOptions {
  mode: 'upsert' | 'create_only' | 'update_only';
  tags: readonly string[];
  dryRun: boolean;
  list: { id: string; number: number } | null;
  file: RowFile;
  mapping: ColumnMapping;
  /** Null for JSON. */
  columns: readonly Column[] | null;
  /** Sentences about columns that look like a status, of a dry run. */
  warnings?: readonly string[];
  /** The actor and client that sent the file; absent in rows of older releases. */
  consent?: Consent;
  /** Position of the first row. */
  start: RowPlace;
}

/** Beside the columns of the row. */
export interface ImportProgress {
  place: RowPlace;
  skipped: number;
  notRejoined: number;
  /** Absent in rows of older releases. */
  optedOut?: number;
  /** Size of the report of refused rows. */
  rejectedBytes: number;
}

/** Which rows an export has, beside those of its scope. */
export type ExportWanted =
  | {
      kind: 'contacts';
      list: { id: string; number: number } | null;
      tag: string | null;
      filter: RowFilter;
    }
  | { kind: 'messages'; filter: MessageFilter }
  /** `after` and `upTo` are positions in the chain, the second one included. */
  | { kind: 'events'; entries: WantedEntries | null; after: string | null; upTo: number }
  | { kind: 'suppressions'; filter: SuppressionFilter }
  | { kind: 'workspace' };

export type ExportOptions = ExportWanted & {
  /** The filters as the request had them. */
  asked: Record<string, unknown>;
};

/** As releases wrote them that read UTF-8 only. */
type FormerImport = Omit<ImportOptions, 'file' | 'mapping' | 'columns'> & {
  columns: { delimiter: string; columns: Column[] } | null;
};

/** As releases wrote them that exported contacts alone. */
interface ContactOptions {
  kind?: undefined;
  list: { id: string; number: number } | null;
  tag: string | null;
  status: Contact['status'] | null;
}

export interface ExportProgress {
  /** The place of the last row that is in the file; null before the first. */
  after: string | null;
}

export function importOptions({ options, format }: Pick<Transfer, 'options' | 'format'>): ImportOptions {
  const stored = JSON.parse(options) as ImportOptions | FormerImport;
  if ('file' in stored) return stored;
  const { columns } = stored;
  const file = { format, delimiter: columns?.delimiter ?? ',', isUtf8: true, isWrapped: false };
  return { ...stored, file, mapping: {}, columns: columns?.columns ?? null };
}

export function exportOptions({ options }: Pick<Transfer, 'options'>): ExportOptions {
  const stored = JSON.parse(options) as ExportOptions | ContactOptions;
  if (stored.kind !== undefined) return stored;
  const { list, tag, status } = stored;
  const filter = status === null ? {} : { status: [status] };
  const asked = {
    ...(list === null ? {} : { list_id: list.id }),
    ...(tag === null ? {} : { tag }),
    ...(status === null ? {} : { status }),
  };
  return { kind: 'contacts', list, tag, filter, asked };
}

export function importProgress(transfer: Pick<Transfer, 'position' | 'options' | 'format'>): ImportProgress {
  if (transfer.position !== null) return JSON.parse(transfer.position) as ImportProgress;
  return { place: importOptions(transfer).start, skipped: 0, notRejoined: 0, rejectedBytes: 0 };
}

export function exportProgress({ position }: Pick<Transfer, 'position'>): ExportProgress {
  if (position === null) return { after: null };
  const { after } = JSON.parse(position) as { after: string | number | null };
  return { after: after === null ? null : String(after) };
}

export function newTransfer({ scope, id, now }: { scope: Scope; id: string; now: number }) {
  return {
    id,
    workspace_id: scope.workspaceId,
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    status: 'queued',
    size_bytes: 0,
    done_bytes: 0,
    total: null,
    processed: 0,
    created: 0,
    updated: 0,
    failed: 0,
    position: null,
    error: null,
    stored_bytes: 0,
    paused_reason: null,
    created_at: now,
    updated_at: now,
    finished_at: null,
  } as const;
}

/** Ends an open transfer. `error` says why it failed, as a sentence; `storedBytes` is the size of the files that stay. */
export function ending(
  { id }: Transfer,
  { error, now, storedBytes = 0 }: { error: string | null; now: number; storedBytes?: number },
): Change {
  const status = error === null ? 'completed' : 'failed';
  return update(transfers, {
    set: {
      status,
      error,
      stored_bytes: storedBytes,
      paused_reason: null,
      finished_at: now,
      updated_at: now,
    },
    where: { id, status: ['queued', 'running'] },
  });
}

/** Returns the bytes that stay after the end of a transfer that did not complete. */
export function keptBytes(transfer: Transfer): number {
  return transfer.kind === 'import' ? importProgress(transfer).rejectedBytes : 0;
}

/** The owner of a transfer. */
export function transferScope(transfer: OpenTransfer): Scope {
  return {
    organizationId: transfer.organizationId,
    workspaceId: transfer.workspace_id,
    workspaceNumber: transfer.workspaceNumber,
    environmentId: transfer.environment_id,
    mode: transfer.mode,
    subTenantId: transfer.sub_tenant_id,
  };
}
