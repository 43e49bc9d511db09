// Tables of events, chained by hash per workspace, and of their consumers.
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

/** Append-only and chained by hash per workspace. Also the outbox: webhooks follow it by position. */
export const events = table('events', {
  /** workspaces.number * 2^36 + the number in the chain. */
  position: int(),
  environment_id: int(),
  message_id: nullable(int()),
  /** Public id of the message, sub-tenant or other record. */
  subject_id: text(),
  /** Sub-tenant of the record; null for the workspace's own records, and for messages and sub-tenants, which identify it themselves. */
  sub_tenant_id: nullable(text()),
  event: text<TrailEvent>(),
  actor: text<Actor>(),
  occurred_at: instant(),
  /** JSON {metadata?, ip?, user_agent?, provider?, provider_message_id?}; may be erased together with the salt. */
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
  /** The last number that webhooks have processed. */
  fanned_out_seq: int(),
});

/** Cursors of the consumers of the event chains. */
export const consumers = table('consumers', {
  name: text(),
  workspace_number: int(),
  seq: int(),
});
