// Tables and indexes of src/analytics.
import type { Spelling } from '../../engine/engine.js';

export const analyticsSchema = (t: Spelling): string[] => [
  `CREATE TABLE engagement (
    message_id ${t.intKey}, opens ${t.int} NOT NULL, machine_opens ${t.int} NOT NULL, clicks ${t.int} NOT NULL,
    machine_clicks ${t.int} NOT NULL)`,

  `CREATE TABLE stat_days (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, type TEXT NOT NULL, day ${t.int} NOT NULL,
    measure TEXT NOT NULL, n ${t.int} NOT NULL, PRIMARY KEY (environment_id, sub_tenant_key, day, type, measure))`,

  `CREATE TABLE source_stats (
    source_id TEXT NOT NULL, variant TEXT NOT NULL, measure TEXT NOT NULL, n ${t.int} NOT NULL,
    PRIMARY KEY (source_id, variant, measure))`,

  `CREATE TABLE source_hours (
    source_id TEXT NOT NULL, hour ${t.int} NOT NULL, measure TEXT NOT NULL, n ${t.int} NOT NULL,
    PRIMARY KEY (source_id, hour, measure))`,

  `CREATE TABLE source_links (
    source_id TEXT NOT NULL, url TEXT NOT NULL, clicks ${t.int} NOT NULL, people ${t.int} NOT NULL,
    machine_clicks ${t.int} NOT NULL, PRIMARY KEY (source_id, url))`,

  `CREATE TABLE stat_hours (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, hour ${t.int} NOT NULL, type TEXT NOT NULL,
    measure TEXT NOT NULL, n ${t.int} NOT NULL, PRIMARY KEY (environment_id, sub_tenant_key, hour, type, measure)) ${t.clustered}`,

  `CREATE TABLE stat_groups (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, dimension TEXT NOT NULL, day ${t.int} NOT NULL,
    value TEXT NOT NULL, type TEXT NOT NULL, measure TEXT NOT NULL, n ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_key, dimension, day, value, type, measure)) ${t.clustered}`,

  `CREATE TABLE stat_bounces (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, day ${t.int} NOT NULL, category TEXT NOT NULL,
    bounce_type TEXT NOT NULL, provider TEXT NOT NULL, n ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_key, day, category, bounce_type, provider)) ${t.clustered}`,

  `CREATE TABLE counted_tags (
    environment_id ${t.int} NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (environment_id, tag)) ${t.clustered}`,

  `CREATE TABLE domain_providers (
    domain TEXT PRIMARY KEY, provider TEXT NOT NULL) ${t.clustered}`,
];
