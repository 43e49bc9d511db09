// The change that appends an event to the chain of its workspace: the only way to tell the outside world anything.
import type { Actor, TrailEvent } from '../contract/names.js';
import { defineChange } from '../database/change.js';
import { chain } from './chains.store.js';

export interface EventDetail {
  metadata?: Record<string, unknown>;
  ip?: string;
  user_agent?: string;
  provider?: string;
  provider_message_id?: string;
}

export interface NewEvent {
  environmentId: number;
  /** The high part of the event's position in the chain. */
  workspaceNumber: number;
  /** Row id; null for events about a sub-tenant or another record. */
  messageId: number | null;
  /** Public id of the message, the sub-tenant or the record. */
  subjectId: string;
  /** Sub-tenant of the record, for events about neither a message nor a sub-tenant. */
  subTenantId?: string | null;
  event: TrailEvent;
  actor: Actor;
  occurredAt: number;
  detail?: EventDetail;
}

export const appendEvent = defineChange<{ event: NewEvent }>(
  'append',
  (writing, { event }) => writing.part(chain).append(event),
  { readsGathered: false },
);
