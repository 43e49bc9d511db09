// The tables of the audit trail, chained by hash per workspace.
import type { Generated } from 'kysely';
import type { Actor, TrailEvent } from '../../contract/names.js';
import type { Instant, Json } from './columns.js';

/** Append-only; chained by hash per workspace. It is also the outbox: webhooks follow it by position. */
export interface EventTable {
  /** workspaces.number * 2^36 + the number in the chain. */
  position: number;
  environment_id: number;
  message_id: number | null;
  /** Public id of what it is about: a message, a sub-tenant, or another record. */
  subject_id: string;
  /** Whose record it is about; null for the workspace's own, and for messages and sub-tenants, which say so themselves. */
  sub_tenant_id: Generated<string | null>;
  event: TrailEvent;
  actor: Actor;
  occurred_at: Instant;
  /** JSON {metadata?, ip?, user_agent?, provider?, provider_message_id?}; with its salt it may be erased. */
  detail: Json | null;
  salt: Uint8Array | null;
  detail_digest: Uint8Array | null;
  hash: Uint8Array;
}

export interface ChainTable {
  workspace_number: number;
  head_seq: number;
  head_hash: Uint8Array;
  /** The last number that webhooks have seen. */
  fanned_out_seq: number;
}
