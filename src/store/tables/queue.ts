// The tables of mail on its way out: queues, the queue, attempts and the sessions they were made in.
import type { Generated } from 'kysely';
import type { Instant, Json } from './columns.js';

/** Where mail waits in order: one line per environment, tenant, destination domain and rank. */
export interface QueuesTable {
  id: Generated<number>;
  environment_id: number;
  sub_tenant_key: string;
  domain: string;
  /** 0 goes first. */
  rank: number;
}

/** One narrow row per message that still has to leave. */
export interface QueueTable {
  message_id: number;
  queue_id: number;
  due_at: Instant;
  expires_at: Instant;
  attempts: number;
  lease_until: Instant | null;
  lease_owner: string | null;
  /** Set, durably, before the final dot of an attempt is written. */
  dot_intent_at: Instant | null;
  /** Attempts that ended with the dot written and no reply seen. */
  ambiguous_attempts: number;
  /** Why it waits when no peer is the reason: 'signing', 'tenant', ... */
  hold_reason: string | null;
  /** Steps of the retry schedule used up; an attempt that fails for the whole destination uses none. */
  retry_step: Generated<number>;
  /** Attempts that ended in a permanent refusal of our address, which another address or a later time may heal. */
  blocked_attempts: Generated<number>;
  /** The source of the last attempt: a greylisting peer must see the same one again. */
  source: string | null;
}

/** One try to hand a message over. */
export interface AttemptTable {
  message_id: number;
  number: number;
  at: Instant;
  session_id: string | null;
  detail: Json;
  /** Lines of the transaction. */
  conversation: string | null;
}

export interface SmtpSessionTable {
  id: string;
  at: Instant;
  /** JSON {host, address, source, opening: string[]} */
  detail: Json;
}

/** Bounces for a dead domain, whose address is suppressed when the domain is still dead later. */
export interface AddressRecheckTable {
  message_id: number;
  environment_id: number;
  domain: string;
  due_at: Instant;
}
