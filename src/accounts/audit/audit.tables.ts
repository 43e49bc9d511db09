// Table of the audit log.
import type { Mode } from '../../contract/names.js';
import { type ColumnsOf, instant, json, nullable, type RowOf, table, text } from '../../database/columns.js';

/** Written in the transaction of the change. */
export const auditEntries = table('audit_entries', {
  id: text(),
  organization_id: text(),
  /** Null for a change of the organization. */
  workspace_id: nullable(text()),
  /** Sub-tenant to which the key is pinned, or that the request named. */
  sub_tenant_id: nullable(text()),
  /** Environment of the key, or the one that the person chose. Null without one. */
  mode: nullable(text<Mode>()),
  actor_kind: text<'api_key' | 'user' | 'operator'>(),
  /** ID of the key or user. Null for the operator and for unauthenticated people. */
  actor_id: nullable(text()),
  /** Operation, as in the OpenAPI document, such as `organization.update`. */
  action: text(),
  target_id: nullable(text()),
  /** JSON: the request without secrets and content. */
  detail: json(),
  ip: nullable(text()),
  request_id: nullable(text()),
  at: instant(),
});
export type AuditEntryTable = ColumnsOf<typeof auditEntries>;
export type AuditRow = RowOf<typeof auditEntries>;
