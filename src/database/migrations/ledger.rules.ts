// Decides from a database's ledger which steps are pending, and whether this program may open the database.

/** A step that has run. */
export interface LedgerRow {
  name: string;
  /** The newest step that a program must know to open the database. */
  opensFrom: string;
  /** Release that ran the step. */
  program: string;
}

export type LedgerJudgement =
  | { kind: 'open'; pending: string[]; schema: string | null }
  | { kind: 'newer'; message: string };

/**
 * `known` lists the steps of this program in order, `program` is its release. A step that the program does not know was run by a
 * newer release, whose ledger row says whether this program may still open the database.
 */
export function judgeLedger(
  rows: readonly LedgerRow[],
  { known, program }: { known: readonly string[]; program: string },
): LedgerJudgement {
  const latest = known.at(-1) ?? '';
  const names = rows.map(({ name }) => name).sort();
  const schema = names.at(-1) ?? null;
  const closed = rows
    .filter(({ name, opensFrom }) => !known.includes(name) && opensFrom > latest)
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .at(0);
  if (closed === undefined) {
    return { kind: 'open', schema, pending: known.filter((name) => !names.includes(name)) };
  }
  return {
    kind: 'newer',
    message:
      `Mailkeel ${closed.program} migrated this database (migration ${closed.name}). Opening it requires a release that knows ` +
      `migration ${closed.opensFrom}; this is Mailkeel ${program}, which knows migrations up to ${latest}. Start the newer release ` +
      'again, or restore the copy made before the upgrade (folder before-upgrade in the data folder): docs/runbook.md, "Upgrade".',
  };
}
