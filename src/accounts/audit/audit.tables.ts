// Table of the audit log.
import type { Mode } from '../../contract/names.js';
import { type ColumnsOf, instant, json, nullable, type RowOf, table, text } from '../../database/columns.js';

/** Written in the transaction of the change that it tells of. */
export const auditEntries = table('audit_entries', {
  id: text(),
  organization_id: text(),
  /** Null where the change is of the organization. */
  workspace_id: nullable(text()),
  /** The pin of the key, or the sub-tenant that the request named. */
  sub_tenant_id: nullable(text()),
  /** The environment of the key, or the one that the person chose; null where there is none. */
  mode: nullable(text<Mode>()),
  actor_kind: text<'api_key' | 'user' | 'operator'>(),
  /** The key's or the user's id; null of an operator, and where nobody has proved who they are. */
  actor_id: nullable(text()),
  /** The operation, as in the OpenAPI document: `organization.update`. */
  action: text(),
  target_id: nullable(text()),
  /** JSON: what was asked for, without secrets and content. */
  detail: json(),
  ip: nullable(text()),
  request_id: nullable(text()),
  at: instant(),
});
export type AuditEntryTable = ColumnsOf<typeof auditEntries>;
export type AuditRow = RowOf<typeof auditEntries>;
