// Tables of sub-tenants and their restrictions.
import {
  type ColumnsOf,
  flag,
  generated,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../database/columns.js';

export const subTenants = table('sub_tenants', {
  id: text(),
  workspace_id: text(),
  name: text(),
  external_id: nullable(text()),
  sending_domain: text(),
  /** Pauses are stored per environment, in its reputations. */
  status: text<'pending_verification' | 'verified' | 'failed' | 'suspended'>(),
  verified_at: nullable(instant()),
  last_checked_at: nullable(instant()),
  /** 1 once the return-path MX was found. Bounces then return under the tenant's own domain. */
  return_path_ok: flag(),
  /** 1 if the MX of its inbound domain (`reply.<domain>`) points to this server. */
  inbound_ok: flag(),
  /** 1 if its tracking domain (`click.<domain>`) points to this server, so that links in its mail can use it. */
  tracking_ok: flag(),
  /** JSON: {[purpose and host]: {status, found}} of the last check. */
  dns_results: nullable(json()),
  /** Maximum live messages per hour, spread evenly. `null` if there is no limit. */
  throttle_per_hour: nullable(int()),
  /** When its DNS is checked next. */
  next_check_at: nullable(instant()),
  /** Time since which the signing key's record of a verified domain is missing or wrong. */
  drifting_since: nullable(instant()),
  /** Publication of its keys: each key (txt), two aliases once (cname), or the appliance answers for the domain (zone). */
  dkim_mode: generated(text<'txt' | 'cname' | 'zone'>()),
  /** When another workspace proved the domain; it then takes new keys to have it back. */
  taken_over_at: nullable(instant()),
  /** `null` for `bounce.`, `reply.` and `click.` below the sending domain. */
  return_path_domain: nullable(text()),
  inbound_domain: nullable(text()),
  tracking_domain: nullable(text()),
  created_at: instant(),
  updated_at: instant(),
  deleted_at: nullable(instant()),
});
export type SubTenantTable = ColumnsOf<typeof subTenants>;

/** Reputation of a sub-tenant in one environment; no row: nothing was ever counted against it. */
export const tenantReputations = table('tenant_reputations', {
  environment_id: int(),
  sub_tenant_id: text(),
  state: text<'ok' | 'warned' | 'throttled'>(),
  /** When `state` changed, or the pause began or ended. */
  changed_at: nullable(instant()),
  paused_at: nullable(instant()),
  /** Cause of a pause: a request of its owner, or a rate that the sweep found. */
  pause_cause: nullable(text<'requested' | 'complaint_rate' | 'bounce_rate'>()),
  /** The hour (since the epoch) in which a pause last ended, and the counts of that hour until then, as JSON. */
  resumed_hour: nullable(int()),
  resumed_sums: nullable(json()),
  /** Counts of the trailing window at the last sweep that found a difference. */
  sent: int(),
  delivered: int(),
  bounced: int(),
  complained: int(),
  /** Complaints in a million delivered, and bounces in a million sent; null where there were none of these. */
  complaint_ppm: nullable(int()),
  bounce_ppm: nullable(int()),
  scored_at: nullable(instant()),
});
export type TenantReputation = RowOf<typeof tenantReputations>;
