// Backups that were made, and restores: which events belong to which history, and whether outbound mail is held.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const TABLES = (t: Spelling): string[] => [
  `CREATE TABLE backups (
    name TEXT PRIMARY KEY, place TEXT NOT NULL, started_at ${t.int} NOT NULL, ended_at ${t.int} NOT NULL,
    size_bytes ${t.int}, with_keys ${t.int} NOT NULL, error TEXT)`,
  `CREATE INDEX backups_by_time ON backups (ended_at)`,
  `CREATE TABLE restores (
    epoch ${t.intKey}, copy_name TEXT NOT NULL, copied_at ${t.int} NOT NULL, restored_at ${t.int} NOT NULL,
    last_message_id ${t.int} NOT NULL, released_at ${t.int})`,
  `CREATE TABLE restored_chains (
    workspace_number ${t.int} NOT NULL, epoch ${t.int} NOT NULL, head_seq ${t.int} NOT NULL,
    PRIMARY KEY (workspace_number, epoch))`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of TABLES(spelling)) await sql.raw(statement).execute(db);
}
