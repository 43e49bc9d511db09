// Tables of account imports: the jobs, the objects that they created, and the lines of their reports.
import {
  flag,
  generated,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../database/columns.js';
import type { ImportKind, ImportSource } from './kinds.rules.js';

/** An import of an account at another vendor, done in the background. */
export const accountImports = table('account_imports', {
  /** `aim_…` */
  id: text(),
  workspace_id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  source: text<ImportSource>(),
  /** Origin of a server that the user names, which distinguishes its IDs from those of another; '' for a vendor. */
  origin: text(),
  /** JSON: kinds to import, in their order. */
  kinds: json(),
  dry_run: flag(),
  status: text<'queued' | 'running' | 'completed' | 'failed' | 'canceled'>(),
  /** The address and the credentials, as sealed JSON; null once the import has ended. */
  connection_sealed: nullable(text()),
  /** JSON: the consent of the call, for list memberships. */
  consent: json(),
  /** JSON: counts by kind. */
  counts: json(),
  /** JSON: the place to continue after a restart; null before the first step. */
  position: nullable(json()),
  /** Committed steps, which exclude that two workers commit the same one. */
  steps: int(),
  /** Consecutive requests that the vendor did not answer. */
  attempts: int(),
  /** No request is made before this time. */
  resume_at: nullable(instant()),
  /** Lines of the report; those beyond the limit are only counted. */
  report_lines: int(),
  error: nullable(text()),
  /** Why it waits, as a sentence; null unless it waits. */
  paused_reason: nullable(text()),
  created_at: instant(),
  updated_at: instant(),
  finished_at: nullable(instant()),
  /** Bytes of the uploaded file; 0 without one, and once the import has ended. */
  stored_bytes: generated(int()),
});
export type AccountImport = RowOf<typeof accountImports>;

/** Mailkeel's ID of an object of another vendor, by which a repeated import finds it again. */
export const accountImportObjects = table('account_import_objects', {
  environment_id: int(),
  /** A sub-tenant's id; '' for the workspace. */
  sub_tenant_key: text(),
  source: text<ImportSource>(),
  origin: text(),
  kind: text<ImportKind>(),
  /** The vendor's ID. */
  external_id: text(),
  object_id: text(),
  created_at: instant(),
});

/** An object that was left out, with the reason. */
export const accountImportReports = table('account_import_reports', {
  import_id: text(),
  /** Counted from 1 within the import. */
  number: int(),
  environment_id: int(),
  kind: text<ImportKind>(),
  external_id: text(),
  /** Address or name, as the vendor has it. */
  name: text(),
  /** Key of the address, by which an erasure finds the line; null if the object is not a person. */
  email_key: nullable(text()),
  /** Line of a template; null for the whole object. */
  line: nullable(int()),
  /** A sentence. */
  problem: text(),
});
export type ReportLine = RowOf<typeof accountImportReports>;
