// Rows of the event feed as /v1 shows them.
import type { EventObject } from '../events/event.schema.js';
import { feedEventName } from '../events/event-names.rules.js';
import { iso } from '../contract/time.js';
import type { FeedEvent } from './feed.store.js';
import { readDetail } from '../events/events.store.js';
import type { Scope } from '../database/scope.js';
import type { Cursors } from '../http/lists/cursors.js';

export function presentEvent(
  row: FeedEvent,
  scope: Pick<Scope, 'mode' | 'workspaceNumber'>,
  cursors: Pick<Cursors, 'eventId'>,
): EventObject {
  const name = feedEventName(row);
  const occurred_at = iso(row.occurred_at);
  const { metadata = {}, ...rest } = readDetail(row);
  return {
    id: cursors.eventId(scope.workspaceNumber, { occurredAt: row.occurred_at, position: row.position }),
    object: 'event',
    event: name,
    occurred_at,
    actor: row.actor,
    data: { id: row.subject_id, event: name, occurred_at, metadata, ...rest },
    tags: row.tags === null ? [] : (JSON.parse(row.tags) as string[]),
    metadata: row.metadata === null ? {} : (JSON.parse(row.metadata) as Record<string, unknown>),
    sub_tenant_id: row.sub_tenant_id,
    sandbox: scope.mode === 'test',
  };
}
