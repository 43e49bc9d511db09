// Marks a database that a move has started to fill: a table exists until every row was compared.
import type { Engine } from '../engine/engine.js';
import type { Table } from '../columns.js';

const MARK = 'unfinished_move';

/** The database may contain only some of the rows of a move. */
class UnfinishedMoveError extends Error {
  constructor() {
    super(
      'This database is the target of a "mailkeel admin move" that did not finish, so rows may be missing. Run the move again with --restart, or use the original database.',
    );
    this.name = 'UnfinishedMoveError';
  }
}

export async function hasUnfinishedMove(engine: Engine): Promise<boolean> {
  return hasTable(engine, MARK);
}

/** Throws an UnfinishedMoveError that says what to do. */
export async function refuseUnfinishedMove(engine: Engine): Promise<void> {
  if (await hasUnfinishedMove(engine)) throw new UnfinishedMoveError();
}

export function markUnfinishedMove(engine: Engine): Promise<void> {
  return runAlone(engine, `CREATE TABLE ${MARK} (id ${engine.spelling.intKey})`);
}

/** The first start on a server stores the folder's key files again, because copies in the rows may be older than the files. */
export function endMove(engine: Engine): Promise<void> {
  return engine.transaction(async (tx) => {
    await tx.run(`DELETE FROM marks WHERE name LIKE 'keys_%'`, []);
    await tx.run(`DROP TABLE ${MARK}`, []);
  });
}

/** Returns a declared table that exists, or one that has rows; null if there is none. */
export async function firstTable(
  engine: Engine,
  tables: readonly Table[],
  { withRows }: { withRows: boolean },
): Promise<string | null> {
  for (const { name } of tables) {
    if (!(await hasTable(engine, name))) continue;
    if (!withRows || (await engine.rows(`SELECT 1 AS found FROM ${name} LIMIT 1`, [])).length > 0)
      return name;
  }
  return null;
}

/** Empties the declared tables of a PostgreSQL database. */
export async function emptyTables(engine: Engine, tables: readonly Table[]): Promise<void> {
  const there: string[] = [];
  for (const { name } of tables) if (await hasTable(engine, name)) there.push(name);
  if (there.length > 0) await runAlone(engine, `TRUNCATE ${there.join(', ')}`);
}

/** Rebuilds the search index of contacts from the rows, and empties that of messages, which the server then fills. */
export function fillSearch(engine: Engine): Promise<void> {
  return engine.transaction(async (tx) => {
    const { contactSearch, messageSearch } = engine.spelling;
    for (const statement of [...contactSearch.fill, ...messageSearch.clear]) await tx.run(statement, []);
  });
}

function runAlone(engine: Engine, statement: string): Promise<void> {
  return engine.transaction(async (tx) => {
    await tx.run(statement, []);
  });
}

async function hasTable(engine: Engine, name: string): Promise<boolean> {
  return (await engine.rows(engine.spelling.hasTable, [name])).length > 0;
}
