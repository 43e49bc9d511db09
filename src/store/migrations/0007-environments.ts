// Templates, contacts, lists and webhook endpoints belong to an environment, no longer to a workspace as a whole. What
// exists becomes live.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

/** The tables whose rows belonged to a workspace. */
const MOVED = ['contacts', 'contact_lists', 'templates', 'webhook_endpoints'] as const;

const liveOf = (table: string): string =>
  `SELECT e.id FROM environments e WHERE e.workspace_id = ${table}.workspace_id AND e.mode = 'live'`;

const STATEMENTS = (t: Spelling): string[] => [
  ...[
    'contacts_address',
    'contacts_by_workspace',
    'contacts_of_tenant',
    'contacts_by_status',
    'contact_lists_by_workspace',
    'templates_live_slug',
    'templates_by_workspace',
    'webhook_endpoints_by_workspace',
  ].map((index) => `DROP INDEX ${index}`),
  // An id that no environment has, so that a row without one is seen by nobody.
  ...MOVED.flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN environment_id ${t.int} NOT NULL DEFAULT 0`,
    `UPDATE ${table} SET environment_id = (${liveOf(table)})`,
    `ALTER TABLE ${table} DROP COLUMN workspace_id`,
  ]),
  `CREATE UNIQUE INDEX contacts_address ON contacts (environment_id, email_key, COALESCE(sub_tenant_id, ''))`,
  `CREATE INDEX contacts_by_environment ON contacts (environment_id, number)`,
  `CREATE INDEX contacts_of_tenant ON contacts (environment_id, sub_tenant_id, number) WHERE sub_tenant_id IS NOT NULL`,
  `CREATE INDEX contacts_by_status ON contacts (environment_id, status, number)`,
  `CREATE INDEX contact_lists_by_environment ON contact_lists (environment_id, number)`,
  `CREATE UNIQUE INDEX templates_live_slug ON templates (environment_id, COALESCE(sub_tenant_id, ''), slug)
    WHERE deleted_at IS NULL`,
  `CREATE INDEX templates_by_environment ON templates (environment_id, id)`,
  `CREATE INDEX webhook_endpoints_by_environment ON webhook_endpoints (environment_id, id)`,

  `ALTER TABLE contact_tags RENAME TO former_contact_tags`,
  `CREATE TABLE contact_tags (
    environment_id ${t.int} NOT NULL, tag TEXT NOT NULL, contact_number ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, tag, contact_number))`,
  `INSERT INTO contact_tags (environment_id, tag, contact_number)
    SELECT e.id, f.tag, f.contact_number FROM former_contact_tags f
    JOIN workspaces w ON w.number = f.workspace_number
    JOIN environments e ON e.workspace_id = w.id AND e.mode = 'live'
    ORDER BY f.workspace_number, f.tag, f.contact_number`,
  `DROP TABLE former_contact_tags`,
  `DROP TABLE contact_counts`,
  `CREATE TABLE contact_counts (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, status TEXT NOT NULL, contacts ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_key, status))`,
  `INSERT INTO contact_counts (environment_id, sub_tenant_key, status, contacts)
    SELECT environment_id, COALESCE(sub_tenant_id, ''), status, COUNT(*) FROM contacts GROUP BY 1, 2, 3`,
  ...t.contactSearch.fill,

  // The audience of test campaigns and sequences is live now, so that they cannot go on.
  `UPDATE campaigns SET status = 'canceled'
    WHERE status IN ('scheduled', 'sending', 'paused') AND environment_id IN (${TEST})`,
  `UPDATE enrollments SET state = 'canceled', waits_for = NULL
    WHERE state = 'active' AND sequence_number IN (SELECT number FROM sequences WHERE environment_id IN (${TEST}))`,
  // Deliveries that an endpoint was sent, or is owed, stay in its log.
  `UPDATE webhook_deliveries SET environment_id = (SELECT p.environment_id FROM webhook_endpoints p
      WHERE p.id = webhook_deliveries.endpoint_id)
    WHERE environment_id IN (${TEST}) AND endpoint_id IN (SELECT id FROM webhook_endpoints)`,
  `UPDATE webhook_replays SET finished_at = created_at WHERE finished_at IS NULL AND environment_id IN (${TEST})`,
  `UPDATE transfers SET status = 'canceled', finished_at = updated_at
    WHERE status IN ('queued', 'running') AND environment_id IN (${TEST})`,
];

const TEST = `SELECT id FROM environments WHERE mode = 'test'`;

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of STATEMENTS(spelling)) await sql.raw(statement).execute(db);
}
