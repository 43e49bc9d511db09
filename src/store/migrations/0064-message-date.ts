// The Date field of a message is the time of its first attempt. Messages of former releases, which have none, carry the time
// of their acceptance.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  await sql.raw(`ALTER TABLE messages ADD COLUMN dated_at ${spelling.int}`).execute(db);
}
