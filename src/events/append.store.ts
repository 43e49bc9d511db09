// The change that appends an event to its workspace's chain, which is the only way to notify anything outside.
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
  /** High part of the event's position in the chain. */
  workspaceNumber: number;
  /** Row id; null for events about a sub-tenant or another record. */
  messageId: number | null;
  /** Public id of the message, sub-tenant or other record. */
  subjectId: string;
  /** Sub-tenant of the record, for events about other records than messages and sub-tenants. */
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
