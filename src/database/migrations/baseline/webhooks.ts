// Tables and indexes of src/webhooks.
import type { Spelling } from '../../engine/engine.js';

export const webhooksSchema = (t: Spelling): string[] => [
  `CREATE TABLE webhook_endpoints (
    id TEXT PRIMARY KEY, sub_tenant_id TEXT, url TEXT NOT NULL, description TEXT, events TEXT, status TEXT NOT NULL,
    disabled_reason TEXT, consecutive_failures ${t.int} NOT NULL, secret_sealed TEXT NOT NULL,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, previous_secret_sealed TEXT,
    previous_secret_until ${t.int}, environment_id ${t.int} NOT NULL DEFAULT 0,
    format TEXT NOT NULL DEFAULT 'service', payload TEXT NOT NULL DEFAULT 'thin', public_key TEXT,
    credentials_sealed TEXT, last_success_at ${t.int})`,
  `CREATE INDEX webhook_endpoints_by_environment ON webhook_endpoints (environment_id, id)`,

  `CREATE TABLE webhook_deliveries (
    id ${t.id}, public_id TEXT NOT NULL UNIQUE, endpoint_id TEXT NOT NULL, environment_id ${t.int} NOT NULL,
    event_position ${t.int}, event TEXT NOT NULL, subject_id TEXT NOT NULL, payload TEXT NOT NULL,
    status TEXT NOT NULL, attempts ${t.int} NOT NULL, due_at ${t.int}, lease_until ${t.int},
    created_at ${t.int} NOT NULL, replay_of TEXT, format TEXT, body TEXT, traceparent TEXT)`,
  `CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id)`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_by_subject ON webhook_deliveries (endpoint_id, subject_id, id)`,

  `CREATE TABLE webhook_attempts (
    delivery_id ${t.int} NOT NULL, number ${t.int} NOT NULL, at ${t.int} NOT NULL, duration_ms ${t.int} NOT NULL,
    response_status ${t.int}, response_body TEXT, error TEXT, url TEXT, request_headers TEXT, response_headers TEXT,
    request_body TEXT, PRIMARY KEY (delivery_id, number))`,

  `CREATE TABLE webhook_replays (
    id TEXT PRIMARY KEY, endpoint_id TEXT NOT NULL, environment_id ${t.int} NOT NULL, since ${t.int} NOT NULL,
    until ${t.int}, status TEXT, position ${t.int} NOT NULL, end_position ${t.int} NOT NULL,
    deliveries ${t.int} NOT NULL, created_at ${t.int} NOT NULL, finished_at ${t.int})`,
  `CREATE INDEX webhook_replays_by_endpoint ON webhook_replays (endpoint_id, id)`,
  `CREATE INDEX webhook_replays_open ON webhook_replays (id) WHERE finished_at IS NULL`,
];
