// The tables of how sub-tenants stand: what was counted of each, hour by hour, and what follows from it.
import type { Instant, Json } from './columns.js';

/** How a sub-tenant stands in one environment; without a row nothing was ever held against it. */
export interface TenantReputationTable {
  environment_id: number;
  sub_tenant_id: string;
  state: 'ok' | 'warned' | 'throttled';
  /** When `state` changed, or the pause began or ended. */
  changed_at: Instant | null;
  paused_at: Instant | null;
  /** Who paused it: its owner by request, or the sweep for a rate. */
  pause_cause: 'requested' | 'complaint_rate' | 'bounce_rate' | null;
  /** The hour (since the epoch) in which a pause last ended, and what was counted of it by then, as JSON. */
  resumed_hour: number | null;
  resumed_sums: Json | null;
  /** Of the trailing window, as the last sweep that saw a difference did. */
  sent: number;
  delivered: number;
  bounced: number;
  complained: number;
  /** Complaints in a million delivered, and bounces in a million sent; null where there were none of these. */
  complaint_ppm: number | null;
  bounce_ppm: number | null;
  scored_at: Instant | null;
}

/** What happened to a sub-tenant's mail in one hour, by the time of the events. */
export interface TenantHourTable {
  environment_id: number;
  sub_tenant_id: string;
  /** Hours since the epoch, UTC. */
  hour: number;
  sent: number;
  delivered: number;
  bounced: number;
  complained: number;
}
