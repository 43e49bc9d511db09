// Tables of the reputation of sub-tenants: counters by the hour, and what follows from them.
import { instant, int, json, nullable, type RowOf, table, text } from '../../store/columns.js';

/** How a sub-tenant stands in one environment; without a row nothing was ever held against it. */
export const tenantReputations = table('tenant_reputations', {
  environment_id: int(),
  sub_tenant_id: text(),
  state: text<'ok' | 'warned' | 'throttled'>(),
  /** When `state` changed, or the pause began or ended. */
  changed_at: nullable(instant()),
  paused_at: nullable(instant()),
  /** Who paused it: its owner by request, or the sweep for a rate. */
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

/** What happened to a sub-tenant's mail in one hour, by the time of the events. */
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
