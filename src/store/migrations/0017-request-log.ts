// Requests to the API are kept for a while, so that their makers find out what went wrong.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const TABLES = (t: Spelling): string[] => [
  `CREATE TABLE request_log (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT, actor_kind TEXT NOT NULL,
    actor_id TEXT NOT NULL, operation TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, status ${t.int} NOT NULL,
    code TEXT, param TEXT, duration_ms ${t.int} NOT NULL, request_id TEXT NOT NULL, query TEXT, body TEXT,
    at ${t.int} NOT NULL)`,
  `CREATE INDEX request_log_by_environment ON request_log (environment_id, id)`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of TABLES(spelling)) await sql.raw(statement).execute(db);
}
