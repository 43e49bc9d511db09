// Messages of each API key by day; and rates of sub-tenants in rows, so that a list can be sorted by them.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const CHANGES = (t: Spelling): string[] => [
  `CREATE TABLE api_key_days (
    api_key_id TEXT NOT NULL, day ${t.int} NOT NULL, messages ${t.int} NOT NULL,
    PRIMARY KEY (api_key_id, day))${t.clustered}`,
  `CREATE INDEX api_key_days_by_day ON api_key_days (day)`,
  `ALTER TABLE tenant_standings ADD COLUMN complaint_ppm ${t.int}`,
  `ALTER TABLE tenant_standings ADD COLUMN bounce_ppm ${t.int}`,
  // As tenants/reputation/reputation.rules.ts rounds them.
  `UPDATE tenant_standings SET complaint_ppm = CAST(ROUND(complained * 1000000.0 / delivered) AS ${t.int}) WHERE delivered > 0`,
  `UPDATE tenant_standings SET bounce_ppm = CAST(ROUND(bounced * 1000000.0 / sent) AS ${t.int}) WHERE sent > 0`,
  `CREATE INDEX tenant_standings_by_complaints ON tenant_standings (environment_id, complaint_ppm, sub_tenant_id)`,
  `CREATE INDEX tenant_standings_by_bounces ON tenant_standings (environment_id, bounce_ppm, sub_tenant_id)`,
  `CREATE INDEX tenant_standings_held ON tenant_standings (environment_id, state, sub_tenant_id)
    WHERE state <> 'ok' OR paused_at IS NOT NULL`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of CHANGES(spelling)) await sql.raw(statement).execute(db);
}
