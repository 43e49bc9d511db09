// An entry in a sub-tenant's own trail, as a part of a plan: it is about no message.
import type { Actor, TenantTrailEvent } from '../contract/names.js';
import type { Change } from '../database/change.js';
import { type EventDetail, appendEvent } from '../events/append.store.js';

/** Owner of a trail, and the environment of its chain. */
export interface TenantTrail {
  environmentId: number;
  workspaceNumber: number;
  subTenantId: string;
}

interface TenantEntry {
  event: TenantTrailEvent;
  actor: Actor;
  /** Epoch ms. */
  at: number;
  metadata: NonNullable<EventDetail['metadata']>;
}

export function tenantEntry(trail: TenantTrail, { event, actor, at, metadata }: TenantEntry): Change {
  const { environmentId, workspaceNumber, subTenantId } = trail;
  const detail = { metadata };
  return appendEvent({
    event: {
      environmentId,
      workspaceNumber,
      messageId: null,
      subjectId: subTenantId,
      event,
      actor,
      occurredAt: at,
      detail,
    },
  });
}
