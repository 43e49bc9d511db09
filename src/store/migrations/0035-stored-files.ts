// Files of an installation, in parts.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

export async function up(db: Kysely<unknown>, t: Spelling): Promise<void> {
  await sql
    .raw(
      `CREATE TABLE stored_files (
        folder TEXT NOT NULL, name TEXT NOT NULL, part ${t.int} NOT NULL, octets ${t.blob} NOT NULL, updated_at ${t.int} NOT NULL,
        PRIMARY KEY (folder, name, part))`,
    )
    .execute(db);
}
