// Tables of mail on its way out, and of what is known of the peers.
import {
  type ColumnsOf,
  generated,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../store/columns.js';

/** Where mail waits in order: one line per environment, tenant, destination domain and rank. */
export const queues = table('queues', {
  id: generated(int()),
  environment_id: int(),
  sub_tenant_key: text(),
  domain: text(),
  /** 0 goes first. */
  rank: int(),
});

/** One narrow row per message that still has to leave. */
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
  /** Attempts that ended in a permanent refusal of our address, which another address or a later time may heal. */
  blocked_attempts: generated(int()),
  /** The preferred source of the next attempt: the last one, which a greylisting peer must see again, unless a peer refused that. */
  source: nullable(text()),
});

/** Bounces for a dead domain, whose address is suppressed when the domain is still dead later. */
export const addressRechecks = table('address_rechecks', {
  message_id: int(),
  environment_id: int(),
  domain: text(),
  due_at: instant(),
});

/** A limit that a peer's replies set on a path, until it expires or is removed. */
export const overrides = table('overrides', {
  id: text(),
  path: text(),
  provider: nullable(text()),
  site: text(),
  source: text(),
  kind: text<'connections' | 'rate' | 'messages_per_connection' | 'suspend' | 'suspend_tenant'>(),
  value: json(),
  sub_tenant_key: text(),
  rule: text(),
  reason: text(),
  reply: text(),
  created_at: instant(),
  expires_at: instant(),
});
/** An active limit on a path. */
export type LimitOverride = RowOf<typeof overrides>;

export const destinationPauses = table('destination_pauses', {
  environment_id: int(),
  /** '' pauses the destination for the whole environment. */
  sub_tenant_key: text(),
  domain: text(),
  reason: text(),
  created_at: instant(),
});
export type DestinationPause = RowOf<typeof destinationPauses>;

/** Sources and smarthosts that the operator lets nothing leave by. */
export const suspendedSources = table('suspended_sources', {
  kind: text<'mta' | 'smarthost'>(),
  name: text(),
  reason: text(),
  created_at: instant(),
  /** Null: until it is resumed. */
  expires_at: nullable(instant()),
});
export type SuspendedSource = RowOf<typeof suspendedSources>;

/** Routes that the operator has put before those of the egress file. */
export const operatorRoutes = table('operator_routes', {
  id: text(),
  /** As a route of the file is written. */
  rule: json(),
  reason: text(),
  created_at: instant(),
  /** Null: until it is deleted. */
  expires_at: nullable(instant()),
});
export type OperatorRoute = RowOf<typeof operatorRoutes>;

/** Limiters, breakers and warm-up counters, so that a restart forgets nothing. */
export const trafficState = table('traffic_state', {
  key: text(),
  state: json(),
  updated_at: instant(),
});

export const mtaStsPolicies = table('mta_sts_policies', {
  domain: text(),
  policy_id: text(),
  mode: text<'enforce' | 'testing' | 'none'>(),
  mx: json(),
  max_age_s: int(),
  /** The policy file as fetched. */
  policy: text(),
  fetched_at: instant(),
  checked_at: instant(),
  expires_at: instant(),
});
export type MtaStsPolicyTable = ColumnsOf<typeof mtaStsPolicies>;
