// Tables of the reputation of sub-tenants: counters by the hour, and what follows from them.
import { instant, int, json, nullable, type RowOf, table, text } from '../../store/columns.js';

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
  /** The hour (since the epoch) in which a pause last ended, and what was counted of it by then, as JSON. */
  resumed_hour: nullable(int()),
  resumed_sums: nullable(json()),
  /** Of the trailing window, as the last sweep that saw a difference did. */
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

/** Events of a sub-tenant's mail in one hour, by the time of the events. */
export const tenantHours = table('tenant_hours', {
  environment_id: int(),
  sub_tenant_id: text(),
  /** Hours since the epoch, UTC. */
  hour: int(),
  sent: int(),
  delivered: int(),
  bounced: int(),
  complained: int(),
});
