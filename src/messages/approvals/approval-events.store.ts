// The events of decided approvals. An update that sets the status appends the event by itself.
import { approvalEvent } from '../../events/record-events.rules.js';
import { appendRecordEvent } from '../../events/record-events.store.js';
import { afterUpdates } from '../../database/rows.js';
import { approvals } from './approvals.tables.js';

export const approvalEvents = afterUpdates(
  approvals,
  ['id', 'environment_id', 'sub_tenant_id', 'updated_at'],
  {
    concerns: ({ status }) => status !== undefined,
    async apply(writing, { set: { status } }, rows) {
      const event = status === undefined ? null : approvalEvent(status);
      if (event === null) return;
      for (const row of rows) {
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
