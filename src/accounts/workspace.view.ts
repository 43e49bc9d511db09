// A workspace's row as /v1 shows it.
import type { WorkspaceWire } from './workspace.schema.js';
import type { Workspace } from './accounts.store.js';
import { iso } from '../contract/time.js';

export function presentWorkspace(row: Workspace): WorkspaceWire {
  return {
    id: row.id,
    object: 'workspace',
    name: row.name,
    retention_days: row.retention_days,
    retention_mode: row.retention_mode,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at ?? row.created_at),
  };
}
