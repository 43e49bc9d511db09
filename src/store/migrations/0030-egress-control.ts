// Control of outgoing mail by the operator: sources that nothing may leave by, and routes before those of the egress file.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const TABLES = (t: Spelling): string[] => [
  `CREATE TABLE suspended_sources (
    kind TEXT NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL, created_at ${t.int} NOT NULL, expires_at ${t.int},
    PRIMARY KEY (kind, name))`,
  `CREATE TABLE operator_routes (
    id TEXT PRIMARY KEY, rule TEXT NOT NULL, reason TEXT NOT NULL, created_at ${t.int} NOT NULL, expires_at ${t.int})`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of TABLES(spelling)) await sql.raw(statement).execute(db);
}
