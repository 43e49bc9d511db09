// Table of imports, exports and bulk actions.
import { instant, int, json, nullable, type RowOf, table, text } from '../database/columns.js';

/** An import or an export, done in the background. */
export const transfers = table('transfers', {
  /** `imp_…`, `exp_…` or `blk_…`. */
  id: text(),
  kind: text<'import' | 'export' | 'bulk_action'>(),
  workspace_id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  format: text<'csv' | 'json' | 'ndjson'>(),
  /** JSON: the request. */
  options: json(),
  status: text<'queued' | 'running' | 'completed' | 'failed' | 'canceled'>(),
  size_bytes: int(),
  done_bytes: int(),
  /** Rows in all; null until it is known. */
  total: nullable(int()),
  processed: int(),
  created: int(),
  updated: int(),
  failed: int(),
  /** JSON: where to continue after a restart. */
  position: nullable(json()),
  error: nullable(text()),
  /** Bytes of its files, which count towards the quota of the workspace. */
  stored_bytes: int(),
  /** Why it waits, as a sentence; null unless it waits. */
  paused_reason: nullable(text()),
  created_at: instant(),
  updated_at: instant(),
  finished_at: nullable(instant()),
});
export type Transfer = RowOf<typeof transfers>;
