// The publishable key of a list's forms, and where they may lead a browser to afterwards.
import { type Kysely, sql } from 'kysely';

const CHANGES = [
  'ALTER TABLE contact_lists ADD COLUMN form_key TEXT',
  `ALTER TABLE contact_lists ADD COLUMN form_origins TEXT NOT NULL DEFAULT '[]'`,
  'CREATE UNIQUE INDEX contact_lists_by_form_key ON contact_lists (form_key) WHERE form_key IS NOT NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of CHANGES) await sql.raw(statement).execute(db);
}
