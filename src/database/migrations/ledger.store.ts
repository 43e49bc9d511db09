// The ledger of migrations: the table `schema_steps`.
import type { Row, Spelling, Tx, Value } from '../engine/engine.js';
import { rowsAs } from '../sql.js';
import type { LedgerRow } from './ledger.rules.js';

type Ask = (statement: string, values: readonly Value[]) => Row[] | Promise<Row[]>;

const STEPS_RUN = 'SELECT name, opens_from AS "opensFrom", program FROM schema_steps ORDER BY name';

interface NewStep extends LedgerRow {
  /** Epoch ms. */
  appliedAt: number;
  tookMs: number;
}

/** Returns all steps that have run; none for a new database. */
export async function readLedger(ask: Ask, spelling: Spelling): Promise<LedgerRow[]> {
  if (!(await hasLedger(ask, spelling))) return [];
  return rowsAs<LedgerRow>(ask(STEPS_RUN, []));
}

/** Makes other processes wait until the transaction ends. */
export async function lockForMigration(tx: Tx, { beforeMigration }: Spelling): Promise<void> {
  for (const statement of beforeMigration) await tx.run(statement, []);
}

/** Creates the ledger if it is missing. */
export async function prepareLedger(tx: Tx, spelling: Spelling): Promise<void> {
  if (await hasLedger((statement, values) => tx.run(statement, values), spelling)) return;
  await tx.run(
    `CREATE TABLE schema_steps (
      name TEXT PRIMARY KEY, opens_from TEXT NOT NULL, applied_at ${spelling.int} NOT NULL, took_ms ${spelling.int} NOT NULL,
      program TEXT NOT NULL)`,
    [],
  );
}

export async function insertStep(
  tx: Tx,
  { name, opensFrom, appliedAt, tookMs, program }: NewStep,
): Promise<void> {
  await tx.run(
    'INSERT INTO schema_steps (name, opens_from, applied_at, took_ms, program) VALUES (?, ?, ?, ?, ?)',
    [name, opensFrom, appliedAt, tookMs, program],
  );
}

async function hasLedger(ask: Ask, { hasTable }: Spelling): Promise<boolean> {
  return (await ask(hasTable, ['schema_steps'])).length > 0;
}
