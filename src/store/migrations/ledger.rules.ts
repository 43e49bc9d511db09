// Decides from the ledger of a database which steps are missing, and whether this program may open it at all.

/** The last step in Kysely's own ledger. Release 0.1.0 refuses a database with a later one there. */
export const FROZEN_AT = '0027-words';

/** A step that has run. */
export interface LedgerRow {
  name: string;
  /** In the ledger of Kysely, which says nothing more. */
  isFrozen: boolean;
  /** The last step that the oldest program knows which may open the database from here on. */
  opensFrom: string;
  /** Release that ran it; null where the ledger does not say. */
  program: string | null;
}

export type LedgerJudgement =
  | { kind: 'open'; pending: string[]; schema: string | null }
  | { kind: 'newer'; message: string };

/**
 * `known`: the steps of this program in order; `program`: its release. Steps that it does not know are of a newer release, which says in
 * the ledger whether this one may work beside them.
 */
export function judgeLedger(
  rows: readonly LedgerRow[],
  { known, program }: { known: readonly string[]; program: string },
): LedgerJudgement {
  const latest = known.at(-1) ?? '';
  const names = rows.map(({ name }) => name).sort();
  const schema = names.at(-1) ?? null;
  const closed = rows
    .filter(({ name, isFrozen, opensFrom }) => !known.includes(name) && (isFrozen || opensFrom > latest))
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .at(0);
  if (closed === undefined) {
    return { kind: 'open', schema, pending: known.filter((name) => !names.includes(name)) };
  }
  const newer = closed.program === null ? 'a newer release' : `Mailkeel ${closed.program}`;
  const needed = closed.isFrozen ? 'that release' : `a release that knows migration ${closed.opensFrom}`;
  return {
    kind: 'newer',
    message:
      `The database was migrated by ${newer} (migration ${closed.name}) and can be opened by ${needed} or a later one. This is ` +
      `Mailkeel ${program}, which knows migrations up to ${latest}. Start the newer release again, or put the copy of before the ` +
      'upgrade (folder before-upgrade in the data folder) in place: docs/runbook.md, "Upgrade".',
  };
}
