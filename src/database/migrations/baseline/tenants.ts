// Tables and indexes of src/tenants.
import type { Spelling } from '../../engine/engine.js';

export const tenantsSchema = (t: Spelling): string[] => [
  `CREATE TABLE sub_tenants (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id), name TEXT NOT NULL, external_id TEXT,
    sending_domain TEXT NOT NULL, status TEXT NOT NULL, verified_at ${t.int}, last_checked_at ${t.int},
    return_path_ok ${t.int} NOT NULL, dns_results TEXT, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL,
    deleted_at ${t.int}, throttle_per_hour ${t.int}, inbound_ok ${t.int} NOT NULL DEFAULT 0,
    tracking_ok ${t.int} NOT NULL DEFAULT 0, next_check_at ${t.int}, drifting_since ${t.int},
    dkim_mode TEXT NOT NULL DEFAULT 'txt', return_path_domain TEXT, inbound_domain TEXT, tracking_domain TEXT,
    taken_over_at ${t.int})`,
  `CREATE INDEX sub_tenants_by_workspace ON sub_tenants (workspace_id, id)`,
  `CREATE UNIQUE INDEX sub_tenants_external_id ON sub_tenants (workspace_id, external_id)
    WHERE external_id IS NOT NULL AND deleted_at IS NULL`,
  `CREATE INDEX sub_tenants_by_domain ON sub_tenants (sending_domain)`,
  `CREATE INDEX sub_tenants_to_check ON sub_tenants (next_check_at) WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX sub_tenants_live_domain ON sub_tenants (sending_domain, workspace_id) WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX sub_tenants_zone_domain ON sub_tenants (sending_domain)
    WHERE deleted_at IS NULL AND dkim_mode = 'zone'`,
  `CREATE UNIQUE INDEX sub_tenants_return_path ON sub_tenants (COALESCE(return_path_domain, 'bounce.' || sending_domain), workspace_id) WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX sub_tenants_inbound ON sub_tenants (COALESCE(inbound_domain, 'reply.' || sending_domain), workspace_id) WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX sub_tenants_tracking ON sub_tenants (COALESCE(tracking_domain, 'click.' || sending_domain), workspace_id) WHERE deleted_at IS NULL`,

  `CREATE TABLE tenant_reputations (
    environment_id ${t.int} NOT NULL, sub_tenant_id TEXT NOT NULL, state TEXT NOT NULL, changed_at ${t.int},
    paused_at ${t.int}, pause_cause TEXT, resumed_hour ${t.int}, resumed_sums TEXT, sent ${t.int} NOT NULL,
    delivered ${t.int} NOT NULL, bounced ${t.int} NOT NULL, complained ${t.int} NOT NULL, scored_at ${t.int},
    complaint_ppm ${t.int}, bounce_ppm ${t.int}, PRIMARY KEY (environment_id, sub_tenant_id))`,
  `CREATE INDEX tenant_standings_by_complaints ON "tenant_reputations" (environment_id, complaint_ppm, sub_tenant_id)`,
  `CREATE INDEX tenant_standings_by_bounces ON "tenant_reputations" (environment_id, bounce_ppm, sub_tenant_id)`,
  `CREATE INDEX tenant_standings_held ON "tenant_reputations" (environment_id, state, sub_tenant_id)
    WHERE state <> 'ok' OR paused_at IS NOT NULL`,

  `CREATE TABLE tenant_hours (
    environment_id ${t.int} NOT NULL, sub_tenant_id TEXT NOT NULL, hour ${t.int} NOT NULL, sent ${t.int} NOT NULL,
    delivered ${t.int} NOT NULL, bounced ${t.int} NOT NULL, complained ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_id, hour)) ${t.clustered}`,
];
