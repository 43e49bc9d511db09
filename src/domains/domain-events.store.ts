// The record events of sending domains, workspaces and sub-tenants. Updating a domain's status appends the event automatically.
import { appendRecordEvent } from '../events/record-events.store.js';
import { domainEvent, isEventOfTenants } from '../events/record-events.rules.js';
import { afterUpdates } from '../database/rows.js';
import { subTenants } from '../tenants/tenants.tables.js';
import { senders } from './domains.tables.js';

const concerns = (set: { status?: unknown; drifting_since?: unknown }): boolean =>
  set.status !== undefined || set.drifting_since !== undefined;

export const domainEvents = [
  afterUpdates(senders, ['id', 'workspace_id', 'sub_tenant_id', 'kind', 'updated_at'], {
    concerns,
    async apply(writing, { set, where }, rows) {
      const event = domainEvent(where, set);
      if (event === null) return;
      for (const row of rows) {
        if (row.kind !== 'domain') continue;
        await appendRecordEvent(writing, {
          of: { workspaceId: row.workspace_id },
          subTenantId: row.sub_tenant_id,
          subjectId: row.id,
          event,
          usually: 'worker',
          at: row.updated_at,
        });
      }
    },
  }),
  afterUpdates(subTenants, ['id', 'workspace_id', 'updated_at'], {
    concerns,
    async apply(writing, { set, where }, rows) {
      const event = domainEvent(where, set);
      if (event === null || !isEventOfTenants(event)) return;
      for (const row of rows) {
        await appendRecordEvent(writing, {
          of: { workspaceId: row.workspace_id },
          subTenantId: null,
          subjectId: row.id,
          event,
          usually: 'worker',
          at: row.updated_at,
        });
      }
    },
  }),
];
