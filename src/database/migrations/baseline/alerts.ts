// Tables and indexes of src/alerts.
import type { Spelling } from '../../engine/engine.js';

export const alertsSchema = (t: Spelling): string[] => [
  `CREATE TABLE alert_settings (
    user_id TEXT PRIMARY KEY, mail_alerts TEXT NOT NULL, webhook_alerts TEXT NOT NULL, webhook_url TEXT,
    webhook_format TEXT NOT NULL, webhook_secret_sealed TEXT, quiet_from TEXT, quiet_to TEXT, time_zone TEXT,
    urgent_passes ${t.int} NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,

  `CREATE TABLE alert_incidents (
    id TEXT PRIMARY KEY, source TEXT NOT NULL, alert TEXT NOT NULL, subject TEXT NOT NULL, organization_id TEXT,
    title TEXT NOT NULL, detail TEXT NOT NULL, path TEXT NOT NULL, is_urgent ${t.int} NOT NULL,
    opened_at ${t.int} NOT NULL, gone_since ${t.int}, closed_at ${t.int}, announced ${t.int} NOT NULL)`,
  `CREATE UNIQUE INDEX alert_incidents_open ON alert_incidents (source, alert, subject) WHERE closed_at IS NULL`,
  `CREATE INDEX alert_incidents_unannounced ON alert_incidents (id) WHERE announced < 2`,
  `CREATE INDEX alert_incidents_closed ON alert_incidents (closed_at) WHERE closed_at IS NOT NULL`,

  `CREATE TABLE alert_notices (
    id TEXT PRIMARY KEY, incident_id TEXT NOT NULL, user_id TEXT NOT NULL, way TEXT NOT NULL, stage TEXT NOT NULL,
    status TEXT NOT NULL, attempts ${t.int} NOT NULL, due_at ${t.int} NOT NULL, batch_id TEXT, message_id TEXT,
    error TEXT, attempted_at ${t.int}, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX alert_notices_pending ON alert_notices (id) WHERE status = 'pending'`,
  `CREATE INDEX alert_notices_by_user ON alert_notices (user_id, id)`,
  `CREATE INDEX alert_notices_by_incident ON alert_notices (incident_id)`,
];
