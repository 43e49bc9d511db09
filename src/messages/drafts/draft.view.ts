// Drafts as objects of the API.
import { iso } from '../../contract/time.js';
import { shownFields } from './draft-fields.js';
import type { DraftWire } from './draft.schema.js';
import type { DraftFacts, ShownDraft } from './drafts.store.js';

export function presentDraft(row: ShownDraft): DraftWire {
  return { ...presentDraftFacts(row), ...shownFields(row.fields) };
}

/** Without the given fields. */
export function presentDraftFacts(row: DraftFacts): DraftWire {
  const { id, thread_id, sub_tenant_id, version, created_by, updated_by, message_id } = row;
  return {
    ...{
      id,
      object: 'draft',
      state: message_id === null ? 'open' : 'sent',
      thread_id,
      sub_tenant_id,
      version,
    },
    ...{ created_by, updated_by, message_id },
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}
