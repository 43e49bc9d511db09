// Tables of the delivery queue, to which acceptance hands its messages.
import type { RouteSide } from '../contract/names.js';
import { generated, instant, int, nullable, table, text } from '../database/columns.js';

/** Lines in which mail waits, one for each environment, tenant, destination domain, rank and side. */
export const queues = table('queues', {
  id: generated(int()),
  environment_id: int(),
  sub_tenant_key: text(),
  domain: text(),
  /** 0 goes first. */
  rank: int(),
  /** The side of a route with a share for the queue's messages. '' while it is undecided. */
  side: generated(text<RouteSide | ''>()),
});

/** One small row per message that has not been sent yet. */
export const queue = table('queue', {
  message_id: int(),
  queue_id: int(),
  due_at: instant(),
  expires_at: instant(),
  attempts: int(),
  lease_until: nullable(instant()),
  lease_owner: nullable(text()),
  /** Set, durably, before the final dot of an attempt is written. */
  dot_intent_at: nullable(instant()),
  /** Attempts that ended with the dot written and no reply seen. */
  ambiguous_attempts: int(),
  /** Why it waits when no peer is the reason: 'signing', 'tenant', ... */
  hold_reason: nullable(text()),
  /** Steps of the retry schedule used up; an attempt that fails for the whole destination uses none. */
  retry_step: generated(int()),
  /** Attempts in which the server permanently refused the sending IP. Another IP or a later time may succeed. */
  blocked_attempts: generated(int()),
  /** The preferred source of the next attempt: the last one, which a greylisting peer must see again, unless a peer refused that. */
  source: nullable(text()),
});
