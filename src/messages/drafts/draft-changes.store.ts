// Changes of drafts that are more than a change of their row.
import { defineChange } from '../../database/change.js';
import { insertOne } from '../../database/rows.js';
import { appendRecordEvent } from '../../events/record-events.store.js';
import { drafts, type ReplyDraft } from './drafts.tables.js';

export const createDraft = defineChange<{ row: ReplyDraft }>(
  'create-draft',
  async (writing, { row }) => {
    await insertOne(writing, drafts, { row });
    await appendRecordEvent(writing, {
      of: { environmentId: row.environment_id },
      subTenantId: row.sub_tenant_id,
      subjectId: row.id,
      event: 'draft.created',
      usually: 'system',
      at: row.created_at,
    });
  },
  { madeId: ({ row }) => row.id },
);
