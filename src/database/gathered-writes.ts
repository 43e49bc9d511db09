// Gathers writes of a group commit that no one reads before the group ends, and combines many into one statement. Most
// statements of a message are of this kind.
import type { Row, Tx, Value } from './engine/engine.js';
import { insertRows } from './sql.js';

/** Rows of one table that are inserted together. */
export interface RowSet {
  /** `INSERT INTO t (a, b)`. */
  readonly head: string;
  /** Such as an ON CONFLICT clause. */
  readonly tail?: string;
  /** Referenced rows come before the rows that reference them. */
  readonly order: number;
  /** Throws if the rows that the statements returned are not as expected. */
  readonly check?: (returned: readonly Row[], rows: readonly (readonly Value[])[]) => void;
  /** Only the last row with a key is written, because PostgreSQL refuses to write a row twice in one statement. */
  readonly keyOf?: (row: readonly Value[]) => string;
}

/** Pending writes other than rows of one table. */
export interface Gathering<G> {
  /** Position among the sets of rows, lowest first. */
  readonly order: number;
  begin(tx: Tx): G & { write(): void | Promise<void> };
}

interface Gathered {
  readonly order: number;
  write(tx: Tx): void | Promise<void>;
}

class GatheredRows implements Gathered {
  readonly order: number;
  readonly #set: RowSet;
  rows: Value[][] = [];
  readonly #places = new Map<string, number>();

  constructor(set: RowSet) {
    this.order = set.order;
    this.#set = set;
  }

  add(row: Value[]): void {
    const key = this.#set.keyOf?.(row);
    const place = key === undefined ? undefined : this.#places.get(key);
    if (place !== undefined) {
      this.rows[place] = row;
      return;
    }
    if (key !== undefined) this.#places.set(key, this.rows.length);
    this.rows.push(row);
  }

  async write(tx: Tx): Promise<void> {
    const { head, tail, check } = this.#set;
    const returned = await insertRows(tx, head, this.rows, tail);
    check?.(returned, this.rows);
  }
}

export class GatheredWrites {
  readonly #tx: Tx;
  #sets = new Map<RowSet, GatheredRows>();
  #others = new Map<Gathering<unknown>, Gathered>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** Adds a row, which may be changed until it is written. */
  insert(set: RowSet, row: Value[]): void {
    let rows = this.#sets.get(set);
    if (rows === undefined) this.#sets.set(set, (rows = new GatheredRows(set)));
    rows.add(row);
  }

  /** Returns the set's rows that are not written yet. */
  rowsOf(set: RowSet): readonly Value[][] {
    return this.#sets.get(set)?.rows ?? [];
  }

  /** Returns the pending writes of this kind. */
  of<G>(gathering: Gathering<G>): G {
    const known = this.#others.get(gathering);
    if (known !== undefined) return known as unknown as G; // stored under its own kind
    const { order } = gathering;
    const begun = Object.assign(gathering.begin(this.#tx), { order });
    this.#others.set(gathering, begun);
    return begun;
  }

  /** Writes everything that is pending. */
  async flush(): Promise<void> {
    if (this.#sets.size + this.#others.size === 0) return;
    const all: Gathered[] = [...this.#sets.values(), ...this.#others.values()];
    this.discard();
    for (const one of all.sort((a, b) => a.order - b.order)) await one.write(this.#tx);
  }

  /** Discards the pending writes of refused work. */
  discard(): void {
    this.#sets = new Map();
    this.#others = new Map();
  }
}
