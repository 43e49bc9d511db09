// Tables of delivery: limits, pauses, sources, routes and policies of peers.
import {
  type ColumnsOf,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../database/columns.js';

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
  /** `null` until the operator resumes it. */
  expires_at: nullable(instant()),
});
export type SuspendedSource = RowOf<typeof suspendedSources>;

/** Routes that the operator has put before those of the egress file. */
export const operatorRoutes = table('operator_routes', {
  id: text(),
  /** In the format of the routes in the egress file. */
  rule: json(),
  reason: text(),
  created_at: instant(),
  /** `null` until the operator deletes it. */
  expires_at: nullable(instant()),
});
export type OperatorRoute = RowOf<typeof operatorRoutes>;

/** Current shares of the routes that have one: the percentage of their mail that leaves directly. */
export const routeShares = table('route_shares', {
  /** Name of a route in the file, or id of an operator's route. */
  route: text(),
  percent: int(),
  /** Positions below these leave directly (share.rules.ts). */
  engaged_below: int(),
  others_below: int(),
  /** `lowered`: Mailkeel has lowered the share and no longer raises it. */
  state: text<'active' | 'paused' | 'lowered'>(),
  /** Reason of the last change. */
  reason: text(),
  changed_at: instant(),
  /** JSON: counts of direct mail on the day of the last change before it. */
  counted_before: json(),
});
export type RouteShareRow = RowOf<typeof routeShares>;

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

/** Sessions of one day with the same TLS result (RFC 8460 section 4). */
export const tlsResults = table('tls_results', {
  /** Days since the epoch, UTC. */
  day: int(),
  domain: text(),
  policy_type: text<'tlsa' | 'sts' | 'no-policy-found'>(),
  policy: json(),
  result_type: text(),
  mx_host: text(),
  sending_ip: text(),
  receiving_ip: text(),
  detail: text(),
  sessions: int(),
});
