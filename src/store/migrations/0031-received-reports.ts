// DMARC and TLS reports that others send about our mail, and their sums by day.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const TABLES = (t: Spelling): string[] => [
  `CREATE TABLE received_reports (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT, kind TEXT NOT NULL, domain TEXT NOT NULL,
    org_name TEXT NOT NULL, reporter TEXT NOT NULL, report_id TEXT NOT NULL, authenticated ${t.int} NOT NULL,
    begins_at ${t.int} NOT NULL, ends_at ${t.int} NOT NULL, policy TEXT NOT NULL, total ${t.int} NOT NULL,
    problems ${t.int} NOT NULL, records TEXT NOT NULL, records_left_out ${t.int} NOT NULL, dedupe_key TEXT NOT NULL,
    created_at ${t.int} NOT NULL)`,
  `CREATE UNIQUE INDEX received_reports_once ON received_reports (environment_id, dedupe_key)`,
  `CREATE INDEX received_reports_by_environment ON received_reports (environment_id, kind, id)`,
  `CREATE INDEX received_reports_by_tenant ON received_reports (sub_tenant_id)`,
  `CREATE INDEX received_reports_by_age ON received_reports (created_at)`,
  `CREATE TABLE dmarc_sums (
    environment_id ${t.int} NOT NULL, day ${t.int} NOT NULL, domain TEXT NOT NULL, sub_tenant_key TEXT NOT NULL,
    reporter TEXT NOT NULL, authenticated ${t.int} NOT NULL, source_ip TEXT NOT NULL, class TEXT NOT NULL,
    reason TEXT NOT NULL, disposition TEXT NOT NULL, messages ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, day, domain, sub_tenant_key, reporter, authenticated, source_ip, class, reason, disposition))`,
  `CREATE INDEX dmarc_sums_by_day ON dmarc_sums (day)`,
  `CREATE INDEX dmarc_sums_by_tenant ON dmarc_sums (sub_tenant_key)`,
  `CREATE TABLE tls_sums (
    environment_id ${t.int} NOT NULL, day ${t.int} NOT NULL, domain TEXT NOT NULL, sub_tenant_key TEXT NOT NULL,
    reporter TEXT NOT NULL, authenticated ${t.int} NOT NULL, policy_type TEXT NOT NULL, result_type TEXT NOT NULL,
    mx_host TEXT NOT NULL, sessions ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, day, domain, sub_tenant_key, reporter, authenticated, policy_type, result_type, mx_host))`,
  `CREATE INDEX tls_sums_by_day ON tls_sums (day)`,
  `CREATE INDEX tls_sums_by_tenant ON tls_sums (sub_tenant_key)`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of TABLES(spelling)) await sql.raw(statement).execute(db);
}
