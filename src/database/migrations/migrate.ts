// Runs schema migrations at start and for `mailkeel admin migrate`. A step and its ledger row are one transaction, so a crash
// leaves the step done or not begun. docs/adr/0092-migrations-expand-then-contract.md has the rules.
import { productVersion, systemClock } from '../../lib/runtime/index.js';
import type { Engine } from '../engine/engine.js';
import { insertStep, lockForMigration, prepareLedger, readLedger } from './ledger.store.js';
import { judgeLedger, type LedgerJudgement, type LedgerRow } from './ledger.rules.js';
import { STEPS, type Step } from './steps.js';

/** Lifts the time limits of statements. */
const LONG = { isMigration: true };

export interface PendingStep {
  name: string;
  does: string;
}

interface MigrationPlan {
  /** True if the database is empty. */
  isNew: boolean;
  /** The last step that ran; null in a new database. */
  schema: string | null;
  pending: PendingStep[];
}

export interface RanStep extends PendingStep {
  tookMs: number;
}

interface MigrateOptions {
  /** Called before a step runs, since it may take minutes. */
  onBegin?: (step: PendingStep) => void;
  onEnd?: (step: RanStep) => void;
}

/** Returns the steps that would run, and changes nothing. Throws a NewerDatabaseError if this program may not open the database. */
export async function planMigrations(engine: Engine): Promise<MigrationPlan> {
  const rows = await readLedger((statement, values) => engine.rows(statement, values), engine.spelling);
  const { pending, schema } = judge(rows);
  return {
    isNew: rows.length === 0,
    schema,
    pending: STEPS.filter(({ name }) => pending.includes(name)).map(({ name, does }) => ({ name, does })),
  };
}

/**
 * Brings the schema up to date and returns the names of the steps that ran. If several processes migrate at the same time, each
 * step runs once. Throws a NewerDatabaseError like `planMigrations`, and a MigrationError if a step fails; a failed step leaves
 * nothing behind.
 */
export async function migrate(engine: Engine, options: MigrateOptions = {}): Promise<string[]> {
  const { pending } = await planMigrations(engine);
  const ran: string[] = [];
  for (const step of STEPS) {
    if (!pending.some(({ name }) => name === step.name)) continue;
    const { name, does } = step;
    options.onBegin?.({ name, does });
    const tookMs = await runStep(engine, step);
    if (tookMs === null) continue;
    options.onEnd?.({ name, does, tookMs });
    ran.push(name);
  }
  return ran;
}

/** Returns the duration in ms, or null if another process ran the step first. */
async function runStep(engine: Engine, step: Step): Promise<number | null> {
  const since = performance.now();
  try {
    return await engine.transaction(async (tx) => {
      await lockForMigration(tx, engine.spelling);
      await prepareLedger(tx, engine.spelling);
      const rows = await readLedger((statement, values) => tx.run(statement, values), engine.spelling);
      if (!judge(rows).pending.includes(step.name)) return null;
      await step.up(tx.db, engine.spelling);
      const tookMs = Math.round(performance.now() - since);
      const row = { name: step.name, opensFrom: opensFrom(step.name), program: productVersion() };
      await insertStep(tx, { ...row, appliedAt: systemClock(), tookMs });
      return tookMs;
    }, LONG);
  } catch (error) {
    if (error instanceof NewerDatabaseError) throw error;
    throw new MigrationError(step.name, error);
  }
}

/** Returns the oldest step whose program may open the database once `name` has run. */
function opensFrom(name: string): string {
  const [first = ''] = STEPS.map((step) => step.name);
  const limits = STEPS.filter((step) => step.name <= name).flatMap((step) => step.opensFrom ?? []);
  return [first, ...limits].sort().at(-1) ?? first;
}

function judge(rows: readonly LedgerRow[]): Extract<LedgerJudgement, { kind: 'open' }> {
  const judgement = judgeLedger(rows, { known: STEPS.map(({ name }) => name), program: productVersion() });
  if (judgement.kind === 'open') return judgement;
  throw new NewerDatabaseError(judgement.message);
}

/** The database was migrated by a release whose changes this program cannot work with. */
export class NewerDatabaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NewerDatabaseError';
  }
}

/** A step failed, and nothing of it was kept. */
class MigrationError extends Error {
  constructor(step: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `Migration ${step} failed and was rolled back: ${reason}. The previous release still works with this database.`,
      {
        cause,
      },
    );
    this.name = 'MigrationError';
  }
}
