// Counts of a list's tags, records of consent, and a suppression for every contact that is shown as not to be written to: an
// opt-out by a test key had left a row of its environment alone, and the contact is live now.
import { type Kysely, sql } from 'kysely';
import { newId } from '../../lib/runtime/ids.js';
import type { Spelling } from '../engine/engine.js';

const SLICE = 500;
const REASONS = { unsubscribed: 'unsubscribe', bounced: 'bounce', complained: 'complaint' } as const;

const STATEMENTS = (t: Spelling): string[] => [
  `CREATE TABLE list_tags (
    list_number ${t.int} NOT NULL, tag TEXT NOT NULL, contacts ${t.int} NOT NULL, PRIMARY KEY (list_number, tag))`,
  `INSERT INTO list_tags (list_number, tag, contacts)
    SELECT m.list_number, k.tag, COUNT(*) FROM contact_tags k
    JOIN list_members m ON m.contact_number = k.contact_number AND m.state = 'subscribed'
    GROUP BY m.list_number, k.tag`,
  `CREATE TABLE audience_versions (environment_id ${t.int} NOT NULL PRIMARY KEY, version ${t.int} NOT NULL)`,
  `CREATE TABLE consents (
    number ${t.id}, environment_id ${t.int} NOT NULL, list_number ${t.int} NOT NULL, contact_number ${t.int} NOT NULL,
    event TEXT NOT NULL, occurred_at ${t.int} NOT NULL, actor TEXT NOT NULL, actor_id TEXT, source TEXT NOT NULL, ip TEXT,
    user_agent TEXT)`,
  `ALTER TABLE campaigns ADD COLUMN suppressed ${t.int} NOT NULL DEFAULT 0`,
  `CREATE INDEX consents_of_contact ON consents (contact_number, list_number)`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of STATEMENTS(spelling)) await sql.raw(statement).execute(db);
  await suppressInactive(db);
}

/** A contact who was asked to confirm a list and has not yet is inactive without a suppression, and stays so. */
async function suppressInactive(db: Kysely<unknown>): Promise<void> {
  let after = 0;
  for (;;) {
    const { rows } = await sql<{
      number: number;
      environment_id: number;
      sub_tenant_id: string | null;
      email: string;
      email_key: string;
      status: keyof typeof REASONS;
      updated_at: number;
    }>`SELECT number, environment_id, sub_tenant_id, email, email_key, status, updated_at FROM contacts c
      WHERE status <> 'active' AND number > ${after}
        AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.environment_id = c.environment_id
          AND s.sub_tenant_key = COALESCE(c.sub_tenant_id, '') AND s.email_key = c.email_key)
        AND NOT EXISTS (SELECT 1 FROM list_members m WHERE m.contact_number = c.number AND m.state = 'pending')
      ORDER BY number LIMIT ${SLICE}`.execute(db);
    for (const { environment_id, sub_tenant_id, email, email_key, status, updated_at, number } of rows) {
      await sql`INSERT INTO suppressions (id, environment_id, sub_tenant_key, email, email_key, reason,
          message_public_id, created_at)
        VALUES (${newId('sup', updated_at)}, ${environment_id}, ${sub_tenant_id ?? ''}, ${email}, ${email_key},
          ${REASONS[status]}, NULL, ${updated_at})`.execute(db);
      after = number;
    }
    if (rows.length < SLICE) return;
  }
}
