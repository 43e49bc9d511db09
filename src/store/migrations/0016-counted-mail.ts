// Counters by hour, by tag, by the recipient's provider, and of bounces; and the provider of a recipient's domain.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const TABLES = (t: Spelling): string[] => [
  `CREATE TABLE stat_hours (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, hour ${t.int} NOT NULL, type TEXT NOT NULL,
    measure TEXT NOT NULL, n ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_key, hour, type, measure))${t.clustered}`,
  `CREATE TABLE stat_groups (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, dimension TEXT NOT NULL, day ${t.int} NOT NULL,
    value TEXT NOT NULL, type TEXT NOT NULL, measure TEXT NOT NULL, n ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_key, dimension, day, value, type, measure))${t.clustered}`,
  `CREATE TABLE stat_bounces (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, day ${t.int} NOT NULL, category TEXT NOT NULL,
    bounce_type TEXT NOT NULL, provider TEXT NOT NULL, n ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_key, day, category, bounce_type, provider))${t.clustered}`,
  `CREATE TABLE counted_tags (
    environment_id ${t.int} NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (environment_id, tag))${t.clustered}`,
  `CREATE TABLE domain_providers (domain TEXT PRIMARY KEY, provider TEXT NOT NULL)${t.clustered}`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of TABLES(spelling)) await sql.raw(statement).execute(db);
}
