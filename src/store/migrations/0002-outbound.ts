// Tables of the outbound path besides the queue: attempts with their conversation, active limits, TLS policies and reports.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const STATEMENTS = (t: Spelling): string[] => [
  `ALTER TABLE queue ADD COLUMN retry_step ${t.int} NOT NULL DEFAULT 0`,
  `ALTER TABLE queue ADD COLUMN blocked_attempts ${t.int} NOT NULL DEFAULT 0`,
  `ALTER TABLE queue ADD COLUMN source TEXT`,
  `CREATE INDEX queue_expiring ON queue (expires_at)`,
  `CREATE INDEX queue_held ON queue (lane_id) WHERE hold_reason IS NOT NULL`,
  `CREATE INDEX lanes_by_domain ON lanes (environment_id, domain)`,
  `ALTER TABLE messages ADD COLUMN require_tls ${t.int} NOT NULL DEFAULT 0`,
  `ALTER TABLE sub_tenants ADD COLUMN throttle_per_hour ${t.int}`,

  `CREATE TABLE attempts (
    message_id ${t.int} NOT NULL, number ${t.int} NOT NULL, at ${t.int} NOT NULL, session_id TEXT, detail TEXT NOT NULL,
    conversation TEXT, PRIMARY KEY (message_id, number))`,
  `CREATE TABLE smtp_sessions (id TEXT PRIMARY KEY, at ${t.int} NOT NULL, detail TEXT NOT NULL)`,

  `CREATE TABLE overrides (
    id TEXT PRIMARY KEY, path TEXT NOT NULL, provider TEXT, site TEXT NOT NULL, source TEXT NOT NULL, kind TEXT NOT NULL,
    value TEXT NOT NULL, sub_tenant_key TEXT NOT NULL, rule TEXT NOT NULL, reason TEXT NOT NULL, reply TEXT NOT NULL,
    created_at ${t.int} NOT NULL, expires_at ${t.int} NOT NULL)`,
  `CREATE TABLE destination_pauses (
    environment_id ${t.int} NOT NULL REFERENCES environments (id), sub_tenant_key TEXT NOT NULL, domain TEXT NOT NULL,
    reason TEXT NOT NULL, created_at ${t.int} NOT NULL, PRIMARY KEY (environment_id, sub_tenant_key, domain))`,
  `CREATE TABLE traffic_state (key TEXT PRIMARY KEY, state TEXT NOT NULL, updated_at ${t.int} NOT NULL)`,

  `CREATE TABLE address_rechecks (
    message_id ${t.intKey}, environment_id ${t.int} NOT NULL, domain TEXT NOT NULL, due_at ${t.int} NOT NULL)`,
  `CREATE INDEX address_rechecks_due ON address_rechecks (due_at)`,

  `CREATE TABLE mta_sts_policies (
    domain TEXT PRIMARY KEY, policy_id TEXT NOT NULL, mode TEXT NOT NULL, mx TEXT NOT NULL, max_age_s ${t.int} NOT NULL,
    policy TEXT NOT NULL, fetched_at ${t.int} NOT NULL, checked_at ${t.int} NOT NULL, expires_at ${t.int} NOT NULL)`,
  `CREATE TABLE tls_results (
    day ${t.int} NOT NULL, domain TEXT NOT NULL, policy_type TEXT NOT NULL, policy TEXT NOT NULL, result_type TEXT NOT NULL,
    mx_host TEXT NOT NULL, sending_ip TEXT NOT NULL, receiving_ip TEXT NOT NULL, detail TEXT NOT NULL,
    sessions ${t.int} NOT NULL,
    PRIMARY KEY (day, domain, policy_type, policy, result_type, mx_host, sending_ip, receiving_ip))`,
  `CREATE TABLE tls_reports (
    day ${t.int} NOT NULL, domain TEXT NOT NULL, report_id TEXT NOT NULL, status TEXT NOT NULL, attempts ${t.int} NOT NULL,
    due_at ${t.int} NOT NULL, detail TEXT NOT NULL, created_at ${t.int} NOT NULL, sent_at ${t.int},
    PRIMARY KEY (day, domain))`,
  `CREATE INDEX tls_reports_due ON tls_reports (due_at) WHERE status = 'pending'`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of STATEMENTS(spelling)) await sql.raw(statement).execute(db);
}
