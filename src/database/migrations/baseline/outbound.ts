// Tables and indexes of src/outbound.
import type { Spelling } from '../../engine/engine.js';

export const outboundSchema = (t: Spelling): string[] => [
  `CREATE TABLE queues (
    id ${t.id}, environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, domain TEXT NOT NULL,
    rank ${t.int} NOT NULL, UNIQUE (environment_id, sub_tenant_key, domain, rank))`,
  `CREATE INDEX lanes_by_domain ON "queues" (environment_id, domain)`,

  `CREATE TABLE queue (
    message_id ${t.intKey}, queue_id ${t.int} NOT NULL, due_at ${t.int} NOT NULL, expires_at ${t.int} NOT NULL,
    attempts ${t.int} NOT NULL, lease_until ${t.int}, lease_owner TEXT, dot_intent_at ${t.int},
    ambiguous_attempts ${t.int} NOT NULL, hold_reason TEXT, retry_step ${t.int} NOT NULL DEFAULT 0,
    blocked_attempts ${t.int} NOT NULL DEFAULT 0, source TEXT)`,
  `CREATE INDEX queue_waiting ON queue (queue_id, due_at) WHERE lease_until IS NULL`,
  `CREATE INDEX queue_leased ON queue (lease_until) WHERE lease_until IS NOT NULL`,
  `CREATE INDEX queue_expiring ON queue (expires_at)`,
  `CREATE INDEX queue_held ON queue (queue_id) WHERE hold_reason IS NOT NULL`,

  `CREATE TABLE overrides (
    id TEXT PRIMARY KEY, path TEXT NOT NULL, provider TEXT, site TEXT NOT NULL, source TEXT NOT NULL,
    kind TEXT NOT NULL, value TEXT NOT NULL, sub_tenant_key TEXT NOT NULL, rule TEXT NOT NULL, reason TEXT NOT NULL,
    reply TEXT NOT NULL, created_at ${t.int} NOT NULL, expires_at ${t.int} NOT NULL)`,

  `CREATE TABLE destination_pauses (
    environment_id ${t.int} NOT NULL REFERENCES environments (id), sub_tenant_key TEXT NOT NULL, domain TEXT NOT NULL,
    reason TEXT NOT NULL, created_at ${t.int} NOT NULL, PRIMARY KEY (environment_id, sub_tenant_key, domain))`,

  `CREATE TABLE traffic_state (
    key TEXT PRIMARY KEY, state TEXT NOT NULL, updated_at ${t.int} NOT NULL)`,

  `CREATE TABLE address_rechecks (
    message_id ${t.intKey}, environment_id ${t.int} NOT NULL, domain TEXT NOT NULL, due_at ${t.int} NOT NULL)`,
  `CREATE INDEX address_rechecks_due ON address_rechecks (due_at)`,

  `CREATE TABLE mta_sts_policies (
    domain TEXT PRIMARY KEY, policy_id TEXT NOT NULL, mode TEXT NOT NULL, mx TEXT NOT NULL,
    max_age_s ${t.int} NOT NULL, policy TEXT NOT NULL, fetched_at ${t.int} NOT NULL, checked_at ${t.int} NOT NULL,
    expires_at ${t.int} NOT NULL)`,

  `CREATE TABLE suspended_sources (
    kind TEXT NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL, created_at ${t.int} NOT NULL, expires_at ${t.int},
    PRIMARY KEY (kind, name))`,

  `CREATE TABLE operator_routes (
    id TEXT PRIMARY KEY, rule TEXT NOT NULL, reason TEXT NOT NULL, created_at ${t.int} NOT NULL, expires_at ${t.int})`,
];
