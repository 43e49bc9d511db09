// Finds the changes of a plan that are events about records, for the tables that are written by the general changes: suppressions,
// campaigns, imports and exports, and domains. Whoever changes such a row does not have to remember its event.
import { campaignEvent, domainEvent, isEventOfTenants, transferEvent } from './record-events.rules.js';
import type { Writing } from '../store/committer.js';
import type { Row } from '../store/engine/engine.js';
import type { Insert, Update } from '../store/plan.js';
import { appendRecordEvent } from './record-events.store.js';
import type { TransferTable } from '../imports/transfers.tables.js';

/** The columns of the changed row that an event needs. */
export const RETURNED_COLUMNS = {
  campaigns: ['id', 'environment_id', 'sub_tenant_id', 'updated_at'],
  transfers: ['id', 'environment_id', 'sub_tenant_id', 'kind', 'updated_at'],
  senders: ['id', 'workspace_id', 'sub_tenant_id', 'kind', 'updated_at'],
  sub_tenants: ['id', 'workspace_id', 'updated_at'],
} as const;

type WatchedTable = keyof typeof RETURNED_COLUMNS;
type WatchedUpdate = Extract<Update, { table: WatchedTable }>;

/** Only where the change may be an event: other updates of these tables ask for nothing back. */
export function mayBeEvent(change: Update): change is WatchedUpdate {
  if (!(change.table in RETURNED_COLUMNS)) return false;
  return 'status' in change.set || 'drifting_since' in change.set;
}

export async function appendInsertEvent(writing: Writing, change: Insert): Promise<void> {
  if (change.into !== 'suppressions' || change.isBulk) return;
  const { id, environment_id: environmentId, sub_tenant_key: tenantKey, reason, created_at: at } = change.row;
  await appendRecordEvent(writing, {
    of: { environmentId },
    subTenantId: tenantKey === '' ? null : tenantKey,
    subjectId: id,
    event: 'suppression.created',
    usually: reason === 'manual' ? 'system' : reason === 'bounce' ? 'provider' : 'recipient',
    at,
    metadata: { reason },
  });
}

/** Suppressions that are gone, as they were. */
export async function appendDeletedEvents(writing: Writing, rows: readonly Row[], at: number): Promise<void> {
  for (const row of rows) {
    const tenantKey = row['sub_tenant_key'] as string;
    await appendRecordEvent(writing, {
      of: { environmentId: row['environment_id'] as number },
      subTenantId: tenantKey === '' ? null : tenantKey,
      subjectId: row['id'] as string,
      event: 'suppression.deleted',
      usually: 'recipient',
      at,
    });
  }
}

/** `rows`: RETURNED_COLUMNS of those that were changed. */
export async function appendUpdateEvents(
  writing: Writing,
  change: WatchedUpdate,
  rows: readonly Row[],
): Promise<void> {
  for (const row of rows) {
    const { event, usually } = eventOf(change, row);
    if (event === null) continue;
    const environmentId = row['environment_id'];
    await appendRecordEvent(writing, {
      of:
        typeof environmentId === 'number'
          ? { environmentId }
          : { workspaceId: row['workspace_id'] as string },
      subTenantId: change.table === 'sub_tenants' ? null : (row['sub_tenant_id'] as string | null),
      subjectId: row['id'] as string,
      event,
      usually,
      at: row['updated_at'] as number,
    });
  }
}

function eventOf(change: WatchedUpdate, row: Row) {
  switch (change.table) {
    case 'campaigns': {
      const { status } = change.set;
      const before = change.where.status;
      const from = typeof before === 'string' ? before : null;
      const event = status === undefined ? null : campaignEvent(from, status);
      return { event, usually: 'system' as const };
    }
    case 'transfers': {
      const kind = row['kind'] as TransferTable['kind'];
      return { event: transferEvent(kind, String(change.set.status)), usually: 'system' as const };
    }
    case 'senders': {
      const event = row['kind'] === 'domain' ? domainEvent(change.where, change.set) : null;
      return { event, usually: 'worker' as const };
    }
    case 'sub_tenants': {
      const event = domainEvent(change.where, change.set);
      return { event: event !== null && isEventOfTenants(event) ? event : null, usually: 'worker' as const };
    }
  }
}
