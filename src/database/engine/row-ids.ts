// Row ids that are known before the rows are inserted, so that many rows of a group go in by one statement.
import type { Row, Tx } from './engine.js';

/** Name of a table whose integer primary key is `id`. */
type IdTable = string;

/** Ids for rows that the transaction inserts. */
export interface RowIds {
  next(table: IdTable): Promise<number>;
  /** The next `count` ids will be neighbours: less than NEIGHBOURS apart. */
  together(table: IdTable, count: number): Promise<void>;
}

/** Copies of one request have ids that are less than this apart, so they are found without an index of their own. */
export const NEIGHBOURS = 1_000;
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
    together: () => Promise.resolve(),
  };
}

/** Ids that were drawn over a connection and not used. */
interface Unused {
  client: object;
  ids: number[];
}

/** A transaction on a connection, and what is left of what it has drawn. */
interface Drawing {
  client: object;
  drawn: Map<IdTable, number[]>;
}

/**
 * Ids of the tables' sequences. What a transaction has drawn and not used is kept for the next ones once it is committed: a server
 * that crashes before that gives the same ids again. Only its own connection takes them, since any other may lead to a replica
 * that has taken over and does not know what was drawn. There they are dropped, so that later rows have higher ids.
 */
export class SequenceIds {
  readonly #kept = new Map<IdTable, Unused>();
  readonly #open = new WeakMap<Tx, Drawing>();

  /** `client`: the connection of the transaction. */
  begin(tx: Tx, client: object): void {
    this.#open.set(tx, { client, drawn: new Map() });
  }

  of(tx: Tx): RowIds {
    const { client, drawn } = this.#transaction(tx);
    const known = (table: IdTable): number[] => {
      const kept = this.#kept.get(table);
      return drawn.get(table) ?? (kept?.client === client ? kept.ids : []);
    };
    return {
      async next(table) {
        const id = known(table).shift();
        if (id !== undefined) return id;
        const [first = 0, ...rest] = await draw(tx, table, DRAWN);
        drawn.set(table, rest);
        return first;
      },
      async together(table, count) {
        if (known(table).length < count) drawn.set(table, await draw(tx, table, Math.max(count, DRAWN)));
      },
    };
  }

  committed(tx: Tx): void {
    const { client, drawn } = this.#transaction(tx);
    for (const [table, ids] of drawn) this.#kept.set(table, { client, ids });
  }

  #transaction(tx: Tx): Drawing {
    const found = this.#open.get(tx);
    if (found === undefined) throw new Error('Ids are drawn in a transaction that has begun.');
    return found;
  }
}

/** In ascending order. Other nodes draw at the same time; ids that are too far apart by that are left unused. */
async function draw(tx: Tx, table: IdTable, count: number): Promise<number[]> {
  // The sequence is looked up once, not for each id.
  const sequence = `(SELECT pg_get_serial_sequence('${table}', 'id'))::regclass`;
  const statement = `SELECT nextval(${sequence}) AS id FROM generate_series(1, ?)`;
  for (;;) {
    const rows = await tx.run(statement, [count]);
    const ids = rows.map(({ id }: Row) => Number(id)).sort((a, b) => a - b);
    // No request has so many recipients.
    if (count > NEIGHBOURS || (ids.at(-1) ?? 0) - (ids[0] ?? 0) < NEIGHBOURS) return ids;
  }
}
