// Appends the events of imports, exports and bulk actions that end. An update that sets the status appends the event automatically.
import { appendRecordEvent } from '../events/record-events.store.js';
import { transferEvent } from '../events/record-events.rules.js';
import { afterUpdates } from '../database/rows.js';
import { transfers } from './transfers.tables.js';

export const transferEvents = afterUpdates(
  transfers,
  ['id', 'environment_id', 'sub_tenant_id', 'kind', 'updated_at'],
  {
    concerns: ({ status }) => status !== undefined,
    async apply(writing, { set: { status } }, rows) {
      for (const row of rows) {
        const event = transferEvent(row.kind, String(status));
        if (event === null) continue;
        await appendRecordEvent(writing, {
          of: { environmentId: row.environment_id },
          subTenantId: row.sub_tenant_id,
          subjectId: row.id,
          event,
          usually: 'system',
          at: row.updated_at,
        });
      }
    },
  },
);
