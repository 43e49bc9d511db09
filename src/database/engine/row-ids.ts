// Allocates row ids before the rows are inserted, so that one statement can insert many rows of a group.
import { rowsAs } from '../sql.js';
import type { Tx } from './engine.js';

/** Name of a table with an integer primary key `id`. */
type IdTable = string;

/** Ids for rows that the transaction inserts. */
export interface RowIds {
  next(table: IdTable): Promise<number>;
  /** Makes the next `count` ids less than NEIGHBOURS apart. */
  together(table: IdTable, count: number): Promise<void>;
}

/** Ids of copies of one request are less than this apart, so the copies are found without an additional index. */
export const NEIGHBOURS = 1_000;
/** Ids drawn from a sequence by one statement. */
const DRAWN = 64;

/** Returns numbers above the highest, for an engine with one writing transaction at a time. */
export function idsAboveHighest(tx: Tx): RowIds {
  const highest = new Map<IdTable, number>();
  return {
    async next(table) {
      let last = highest.get(table);
      if (last === undefined) {
        const statement = `SELECT MAX(id) AS highest FROM ${table}`;
        const [row] = await rowsAs<{ highest: number | null }>(tx.run(statement, []));
        last = row?.highest ?? 0;
      }
      highest.set(table, last + 1);
      return last + 1;
    },
    together: () => Promise.resolve(),
  };
}

/** Unused ids drawn over a connection. */
interface Unused {
  client: object;
  ids: number[];
}

/** The connection of a transaction and its unused ids. */
interface Drawing {
  client: object;
  drawn: Map<IdTable, number[]>;
}

/**
 * Draws ids from the tables' sequences. Unused ids of a committed transaction are kept for later ones; without the commit, a
 * server that crashes draws the same ids again. Only the same connection may use them, because another may lead to a replica
 * that took over and does not know of them. In that case they are dropped, so later rows have higher ids.
 */
export class SequenceIds {
  readonly #kept = new Map<IdTable, Unused>();
  readonly #open = new WeakMap<Tx, Drawing>();

  /** `client` is the transaction's connection. */
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

/** Returns ids in ascending order. Other nodes draw concurrently; ids that end up too far apart stay unused. */
async function draw(tx: Tx, table: IdTable, count: number): Promise<number[]> {
  // The sequence is looked up once instead of for each id.
  const sequence = `(SELECT pg_get_serial_sequence('${table}', 'id'))::regclass`;
  const statement = `SELECT nextval(${sequence}) AS id FROM generate_series(1, ?)`;
  for (;;) {
    const rows = await rowsAs<{ id: number }>(tx.run(statement, [count]));
    const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
    // No request has this many recipients.
    if (count > NEIGHBOURS || (ids.at(-1) ?? 0) - (ids[0] ?? 0) < NEIGHBOURS) return ids;
  }
}
