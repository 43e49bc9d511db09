// Row ids that are known before the rows are inserted, so that many rows of a group go in by one statement.
import type { Row, Tx } from './engine.js';

type IdTable = 'messages' | 'contents';

/** Ids for rows that the transaction inserts. */
export interface RowIds {
  next(table: IdTable): Promise<number>;
}

/** Ids of a sequence that one statement draws. */
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

/**
 * Ids of the tables' sequences, for all transactions of an engine. What a transaction has drawn and not used is kept for the next
 * ones once it is committed: a server that crashes before that gives the same ids again.
 */
export class SequenceIds {
  #kept = new Map<IdTable, number[]>();
  readonly #drawn = new WeakMap<Tx, Map<IdTable, number[]>>();

  of(tx: Tx): RowIds {
    const drawn = new Map<IdTable, number[]>();
    this.#drawn.set(tx, drawn);
    return {
      next: async (table) => {
        const known = drawn.get(table)?.shift() ?? this.#kept.get(table)?.shift();
        if (known !== undefined) return known;
        const rows = await tx.run(
          `SELECT nextval(pg_get_serial_sequence('${table}', 'id')) AS id FROM generate_series(1, ${DRAWN})`,
          [],
        );
        const [first = 0, ...rest] = rows.map(({ id }: Row) => Number(id)).sort((a, b) => a - b);
        drawn.set(table, rest);
        return first;
      },
    };
  }

  committed(tx: Tx): void {
    for (const [table, ids] of this.#drawn.get(tx) ?? []) {
      this.#kept.set(table, [...(this.#kept.get(table) ?? []), ...ids]);
    }
  }

  /** After a connection was lost: a replica may have taken over that does not know what was drawn. */
  forget(): void {
    this.#kept = new Map();
  }
}
