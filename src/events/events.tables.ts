// Tables of events, chained by hash per workspace, and of those who consume them.
import type { Actor, TrailEvent } from '../contract/names.js';
import {
  blob,
  type ColumnsOf,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../database/columns.js';

/** Append-only; chained by hash per workspace. It is also the outbox: webhooks follow it by position. */
export const events = table('events', {
  /** workspaces.number * 2^36 + the number in the chain. */
  position: int(),
  environment_id: int(),
  message_id: nullable(int()),
  /** Public id of what it is about: a message, a sub-tenant, or another record. */
  subject_id: text(),
  /** Sub-tenant of the record; null for the workspace's own, and for messages and sub-tenants, which name it themselves. */
  sub_tenant_id: nullable(text()),
  event: text<TrailEvent>(),
  actor: text<Actor>(),
  occurred_at: instant(),
  /** JSON {metadata?, ip?, user_agent?, provider?, provider_message_id?}; with its salt it may be erased. */
  detail: nullable(json()),
  salt: nullable(blob()),
  detail_digest: nullable(blob()),
  hash: blob(),
});
export type EventTable = ColumnsOf<typeof events>;
export type StoredEvent = RowOf<typeof events>;

export const chains = table('chains', {
  workspace_number: int(),
  head_seq: int(),
  head_hash: blob(),
  /** The last number that webhooks have seen. */
  fanned_out_seq: int(),
});

/** Cursors of the consumers of the event chains. */
export const consumers = table('consumers', {
  name: text(),
  workspace_number: int(),
  seq: int(),
});
