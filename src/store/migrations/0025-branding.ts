// Branding of the pages that recipients see: of an organization, or of a sub-tenant in place of it.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const TABLES = (t: Spelling): string[] => [
  `CREATE TABLE brandings (
    owner_id TEXT PRIMARY KEY, name TEXT, color TEXT, website_url TEXT, postal_address TEXT, language TEXT, logo_id TEXT,
    updated_at ${t.int} NOT NULL)`,
  `CREATE TABLE logos (
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, type TEXT NOT NULL, content ${t.blob} NOT NULL, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX logos_by_owner ON logos (owner_id)`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of TABLES(spelling)) await sql.raw(statement).execute(db);
}
