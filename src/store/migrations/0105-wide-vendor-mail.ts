// `messages.from_vendor_api` has 64 bits on PostgreSQL like every other integer. With 32 bits, a move from SQLite stopped at the first message.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of spelling.widen('messages', 'from_vendor_api')) await sql.raw(statement).execute(db);
}
