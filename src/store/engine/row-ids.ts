// Row ids that are known before the rows are inserted, so that many rows of a group go in by one statement.
import type { Row, Tx } from './engine.js';

type IdTable = 'messages' | 'contents';

/** Ids for rows that the transaction inserts. */
export interface RowIds {
  next(table: IdTable): Promise<number>;
}

/** Ids of a sequence that one statement draws. The rest is kept for the next transaction. */
const DRAWN = 64;

/** Where one transaction at a time writes: the numbers above the highest. */
export function idsAboveHighest(tx: Tx): RowIds {
  const highest = new Map<IdTable, number>();
  return {
    async next(table) {
      let last = highest.get(table);
      if (last === undefined) {
        const [row] = await tx.run(`SELECT MAX(id) AS highest FROM ${table}`, []);
        last = Number(row?.['highest'] ?? 0);
      }
      highest.set(table, last + 1);
      return last + 1;
    },
  };
}

/** Of the tables' sequences, for all transactions of an engine: what was drawn for one that failed is never used. */
export function createSequenceIds(): (tx: Tx) => RowIds {
  const drawn = new Map<IdTable, number[]>();
  return (tx) => ({
    async next(table) {
      const kept = drawn.get(table)?.shift();
      if (kept !== undefined) return kept;
      const rows = await tx.run(
        `SELECT nextval(pg_get_serial_sequence('${table}', 'id')) AS id FROM generate_series(1, ${DRAWN})`,
        [],
      );
      const [first = 0, ...rest] = rows.map(({ id }: Row) => Number(id)).sort((a, b) => a - b);
      drawn.set(table, [...(drawn.get(table) ?? []), ...rest]);
      return first;
    },
  });
}
