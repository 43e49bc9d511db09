// Marks mail that the recipient asked for themselves, such as the confirmation of a sign-up.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>, t: Spelling): Promise<void> {
  await sql.raw(`ALTER TABLE messages ADD COLUMN asked_for ${t.int} NOT NULL DEFAULT 0`).execute(db);
}
