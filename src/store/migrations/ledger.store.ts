// The two ledgers of migrations: Kysely's, which release 0.1.0 reads and which ends at FROZEN_AT, and our own for later steps.
import type { Row, Spelling, Tx, Value } from '../engine/engine.js';
import { FROZEN_AT, type LedgerRow } from './ledger.rules.js';

/** As Kysely 0.28 makes it. */
const FROZEN_LEDGER = `CREATE TABLE kysely_migration (
  name varchar(255) NOT NULL PRIMARY KEY, timestamp varchar(255) NOT NULL)`;

type Ask = (statement: string, values: readonly Value[]) => Row[] | Promise<Row[]>;

export interface NewStep {
  name: string;
  opensFrom: string;
  appliedAt: number;
  tookMs: number;
  program: string;
}

/** All steps that have run; empty for a new database. Waits for nothing and makes nothing. */
export async function readLedger(ask: Ask, spelling: Spelling): Promise<LedgerRow[]> {
  const rows: LedgerRow[] = [];
  if (await hasTable(ask, spelling, 'kysely_migration')) {
    for (const row of await ask('SELECT name FROM kysely_migration ORDER BY name', []))
      rows.push({ name: String(row['name']), isFrozen: true, opensFrom: FROZEN_AT, program: null });
  }
  if (await hasTable(ask, spelling, 'schema_steps')) {
    for (const row of await ask('SELECT name, opens_from, program FROM schema_steps ORDER BY name', [])) {
      const { name, opens_from: opensFrom, program } = row;
      rows.push({
        ...{ name: String(name), isFrozen: false, opensFrom: String(opensFrom) },
        program: String(program),
      });
    }
  }
  return rows;
}

/** Other processes wait until the transaction ends. */
export async function lockForMigration(tx: Tx, { beforeMigration }: Spelling): Promise<void> {
  for (const statement of beforeMigration) await tx.run(statement, []);
}

/**
 * Makes both ledgers where they are missing. Lines of `known` steps that a build between two releases wrote into Kysely's are moved,
 * so that release 0.1.0 can open the database.
 */
export async function prepareLedger(tx: Tx, spelling: Spelling, known: readonly string[]): Promise<void> {
  const ask: Ask = (statement, values) => tx.run(statement, values);
  if (!(await hasTable(ask, spelling, 'kysely_migration'))) await tx.run(FROZEN_LEDGER, []);
  if (!(await hasTable(ask, spelling, 'schema_steps'))) {
    await tx.run(
      `CREATE TABLE schema_steps (
        name TEXT PRIMARY KEY, opens_from TEXT NOT NULL, applied_at ${spelling.int} NOT NULL, took_ms ${spelling.int} NOT NULL,
        program TEXT NOT NULL)`,
      [],
    );
  }
  for (const name of known.filter((step) => step > FROZEN_AT)) {
    const moved = await tx.run('DELETE FROM kysely_migration WHERE name = ? RETURNING timestamp', [name]);
    const [row] = moved;
    if (row === undefined) continue;
    const appliedAt = Date.parse(String(row['timestamp']));
    await insertStep(tx, { name, opensFrom: FROZEN_AT, appliedAt, tookMs: 0, program: '0.1.0' });
  }
}

export async function insertStep(
  tx: Tx,
  { name, opensFrom, appliedAt, tookMs, program }: NewStep,
): Promise<void> {
  if (name <= FROZEN_AT) {
    const at = new Date(appliedAt).toISOString();
    await tx.run('INSERT INTO kysely_migration (name, timestamp) VALUES (?, ?)', [name, at]);
    return;
  }
  await tx.run(
    'INSERT INTO schema_steps (name, opens_from, applied_at, took_ms, program) VALUES (?, ?, ?, ?, ?)',
    [name, opensFrom, appliedAt, tookMs, program],
  );
}

async function hasTable(ask: Ask, { hasTable }: Spelling, name: string): Promise<boolean> {
  return (await ask(hasTable, [name])).length > 0;
}
