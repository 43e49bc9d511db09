// Samples of the sizes for the forecast of the disk, and the sizes of the tables.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const TABLES = (t: Spelling): string[] => [
  `CREATE TABLE growth_samples (
    day ${t.int} PRIMARY KEY, taken_at ${t.int} NOT NULL, file_bytes ${t.int} NOT NULL, free_bytes ${t.int} NOT NULL,
    log_bytes ${t.int} NOT NULL, disk_free_bytes ${t.int} NOT NULL)`,
  `CREATE TABLE table_sizes (name TEXT PRIMARY KEY, bytes ${t.int} NOT NULL, measured_at ${t.int} NOT NULL)`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of TABLES(spelling)) await sql.raw(statement).execute(db);
}
