// Appends the events of account imports that end. An update that sets the status appends the event automatically.
import { transferEvent } from '../events/record-events.rules.js';
import { appendRecordEvent } from '../events/record-events.store.js';
import { afterUpdates } from '../database/rows.js';
import { accountImports } from './account-imports.tables.js';

export const accountImportEvents = afterUpdates(
  accountImports,
  ['id', 'environment_id', 'sub_tenant_id', 'updated_at'],
  {
    concerns: ({ status }) => status !== undefined,
    async apply(writing, { set: { status } }, rows) {
      const event = transferEvent('account_import', String(status));
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
