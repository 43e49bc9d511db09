// Tables, columns and stored words get the names that the API uses; requests with keys have their answers kept.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const SLICE = 200;

const RENAMES = [
  `ALTER TABLE api_keys RENAME COLUMN hint TO key_prefix`,
  `ALTER TABLE list_departures RENAME TO list_unsubscribes`,
  `ALTER TABLE list_unsubscribes RENAME COLUMN left_at TO unsubscribed_at`,
  `ALTER TABLE list_days RENAME COLUMN departed TO unsubscribed`,
  `ALTER TABLE enrollments RENAME COLUMN state TO status`,
  `ALTER TABLE campaigns RENAME COLUMN made TO created`,
  `UPDATE campaign_recipients SET state = 'created' WHERE state = 'made'`,
  `ALTER TABLE inbound_mails RENAME TO inbound_messages`,
  `ALTER TABLE messages ADD COLUMN reply_to_more TEXT`,
];

const TABLES = (t: Spelling): string[] => [
  `CREATE TABLE idempotent_requests (
    place TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, fingerprint ${t.blob} NOT NULL, made_id TEXT,
    status ${t.int}, answer TEXT, created_at ${t.int} NOT NULL, PRIMARY KEY (place, key))`,
  `CREATE INDEX idempotent_requests_old ON idempotent_requests (created_at)`,
  `ALTER TABLE api_keys ADD COLUMN api_version TEXT`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of [...RENAMES, ...TABLES(spelling)]) await sql.raw(statement).execute(db);
  await nameNextSteps(db);
}

/** Branches of sequences named the step that follows `goto`. */
async function nameNextSteps(db: Kysely<unknown>): Promise<void> {
  let after = 0;
  for (;;) {
    const { rows } = await sql<{ number: number; steps: string }>`SELECT number, steps FROM sequences
      WHERE number > ${after} AND steps LIKE '%"goto"%' ORDER BY number LIMIT ${SLICE}`.execute(db);
    for (const { number, steps } of rows) {
      const renamed = (JSON.parse(steps) as Record<string, unknown>[]).map(({ goto, ...step }) =>
        goto === undefined ? step : { ...step, next_step_id: goto },
      );
      await sql`UPDATE sequences SET steps = ${JSON.stringify(renamed)} WHERE number = ${number}`.execute(db);
      after = number;
    }
    if (rows.length < SLICE) return;
  }
}
