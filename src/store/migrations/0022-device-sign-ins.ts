// Programs that wait until a person lets them in, in a browser (RFC 8628).
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const TABLES = (t: Spelling): string[] => [
  `CREATE TABLE device_sign_ins (
    device_hash ${t.blob} PRIMARY KEY, user_code TEXT NOT NULL UNIQUE, client_name TEXT NOT NULL, ip TEXT,
    status TEXT NOT NULL, user_id TEXT, workspace_id TEXT, mode TEXT NOT NULL, permission TEXT, key_name TEXT,
    expires_at ${t.int} NOT NULL, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX device_sign_ins_by_expiry ON device_sign_ins (expires_at)`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of TABLES(spelling)) await sql.raw(statement).execute(db);
}
