// The record events of campaigns. An update of the status appends the event automatically.
import { appendRecordEvent } from '../events/record-events.store.js';
import { campaignEvent } from '../events/record-events.rules.js';
import { afterUpdates } from '../database/rows.js';
import { campaigns } from './campaigns.tables.js';

export const campaignEvents = afterUpdates(
  campaigns,
  ['id', 'environment_id', 'sub_tenant_id', 'updated_at'],
  {
    concerns: ({ status }) => status !== undefined,
    async apply(writing, { set: { status }, where }, rows) {
      if (status === undefined) return;
      const from = typeof where.status === 'string' ? where.status : null;
      const event = campaignEvent(from, status);
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
