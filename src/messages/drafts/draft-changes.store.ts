// Changes of drafts with their events, which name the draft without its content.
import type { Actor } from '../../contract/names.js';
import { defineChange } from '../../database/change.js';
import type { Writing } from '../../database/committer.js';
import { refuse } from '../../database/refuse.js';
import { insertOne, removeRows, type RowChange, updateRows, type Where } from '../../database/rows.js';
import { appendRecordEvent } from '../../events/record-events.store.js';
import { drafts, type ReplyDraft } from './drafts.tables.js';

const CHANGED = {
  code: 'conflict',
  message: 'The draft was changed or sent in the meantime. Fetch it again.',
} as const;

type Placed = Pick<ReplyDraft, 'id' | 'environment_id' | 'sub_tenant_id'>;
type DraftEvent = `draft.${'created' | 'updated' | 'sent' | 'deleted'}`;

export const createDraft = defineChange<{ row: ReplyDraft }>(
  'create-draft',
  async (writing, { row }) => {
    await insertOne(writing, drafts, { row });
    await append(writing, row, { event: 'draft.created', at: row.created_at });
  },
  { madeId: ({ row }) => row.id },
);

interface ChangedDraft {
  /** As it was read. */
  draft: Pick<ReplyDraft, 'id' | 'version'>;
  set: RowChange<typeof drafts> & Pick<ReplyDraft, 'updated_at'>;
  event: 'draft.updated' | 'draft.sent';
  actor: Actor;
}

/** Changes an open draft. Refused with `conflict` if it was changed or sent since it was read. */
export const changeDraft = defineChange<ChangedDraft>(
  'change-draft',
  async (writing, { draft: { id, version }, set, event, actor }) => {
    const where = { id, version, message_id: null };
    const [row] = await updateRows(writing, drafts, { set, where }, [
      'id',
      'environment_id',
      'sub_tenant_id',
    ]);
    if (row === undefined) refuse(CHANGED);
    await append(writing, row, { event, at: set.updated_at, actor });
  },
);

interface RemovedDrafts {
  where: Where<typeof drafts>;
  /** Epoch ms. */
  at: number;
}

export const removeDrafts = defineChange<RemovedDrafts>('remove-drafts', async (writing, { where, at }) => {
  const rows = await removeRows(writing, drafts, where, ['id', 'environment_id', 'sub_tenant_id']);
  await appendDeleted(writing, rows, at);
});

/** For drafts that another statement has deleted. */
export async function appendDeleted(writing: Writing, rows: readonly Placed[], at: number): Promise<void> {
  for (const row of rows) await append(writing, row, { event: 'draft.deleted', at });
}

/** `actor`: of a change that is not made by an audited request. */
function append(
  writing: Writing,
  row: Placed,
  { event, at, actor = 'system' }: { event: DraftEvent; at: number; actor?: Actor },
): Promise<void> {
  return appendRecordEvent(writing, {
    of: { environmentId: row.environment_id },
    subTenantId: row.sub_tenant_id,
    subjectId: row.id,
    event,
    usually: actor,
    at,
  });
}
