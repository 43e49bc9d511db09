// An entry of the audit log as /v1 shows it.
import type { AuditLogEntryWire } from './audit.schema.js';
import type { AuditRow } from './audit.store.js';
import type { Caller } from '../api-keys/credential-cache.js';
import { iso } from '../../contract/time.js';

/** Where the platform's own people sit is not its customers' to see: their keys see the addresses of what they did. */
export function presentAuditEntry(
  row: AuditRow,
  caller: Pick<Caller, 'actor' | 'pinnedTo'>,
): AuditLogEntryWire {
  const showsAddress = caller.pinnedTo === null || row.actor_id === caller.actor.id;
  return {
    id: row.id,
    object: 'audit_entry',
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_id },
    target_id: row.target_id,
    detail: JSON.parse(row.detail) as Record<string, unknown>,
    workspace_id: row.workspace_id,
    sub_tenant_id: row.sub_tenant_id,
    mode: row.mode,
    ip: showsAddress ? row.ip : null,
    request_id: showsAddress ? row.request_id : null,
    occurred_at: iso(row.at),
  };
}
