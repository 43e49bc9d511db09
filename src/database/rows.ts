// Changes that suit every table: insert, upsert, update, remove.
import type { ExpressionBuilder, Insertable, Kysely, Updateable } from 'kysely';
import type { ColumnsOf, RowOf, Table } from './columns.js';
import { type Change, defineChange } from './change.js';
import type { Writing } from './committer.js';
import type { Row, Tx } from './engine/engine.js';
import { refuse, type Otherwise } from './refuse.js';

type NameOf<T extends Table> = keyof RowOf<T> & string;
export type NewRow<T extends Table> = Insertable<ColumnsOf<T>>;
export type RowChange<T extends Table> = Updateable<ColumnsOf<T>>;
/** Every given column equals the given value, or one of a list of values. */
export type Where<T extends Table> = { [C in keyof RowOf<T>]?: RowOf<T>[C] | readonly RowOf<T>[C][] };

/** Limits an update to one version of its row: a part of `where`, and the refusal if another change came first. */
export interface ChangeGuard<Time extends number | null = number> {
  where: { updated_at?: Time };
  otherwise?: Otherwise;
}

interface Insertion<T extends Table = Table> {
  row: NewRow<T>;
  /** The refusal if a unique column has the value already. `ignore` keeps the other row. */
  conflict?: Otherwise | 'ignore';
}

interface Replacement<T extends Table = Table> {
  row: NewRow<T>;
  /** The unique columns. */
  key: readonly NameOf<T>[];
  set: RowChange<T>;
}

export interface RowUpdate<T extends Table = Table> {
  set: RowChange<T>;
  where: Where<T>;
  /** No row matched. */
  otherwise?: Otherwise;
  /** Another row has the new value of a unique column. */
  conflict?: Otherwise;
}

interface Removal<T extends Table = Table> {
  where: Where<T>;
  /** No row matched. */
  otherwise?: Otherwise;
}

/**
 * Consequence of an update in the same transaction, such as an event, so that no caller can forget it. The table's noun defines
 * it, and the program passes all consequences to the committer.
 */
export interface UpdateConsequence {
  table: string;
  /** Columns of the changed rows that `apply` reads. */
  columns: readonly string[];
  /** Returns false for updates of columns without a consequence. */
  concerns(set: Row): boolean;
  apply(writing: Writing, change: { set: Row; where: Row }, rows: readonly Row[]): Promise<void>;
}

/** `concerns` and `apply` receive the values of `set` and `where`, and the listed columns of the changed rows. */
export function afterUpdates<T extends Table, C extends NameOf<T>>(
  { name }: T,
  columns: readonly C[],
  consequence: {
    concerns(set: RowChange<T>): boolean;
    apply(
      writing: Writing,
      change: { set: RowChange<T>; where: Where<T> },
      rows: readonly Pick<RowOf<T>, C>[],
    ): Promise<void>;
  },
): UpdateConsequence {
  return { table: name, columns, ...(consequence as Pick<UpdateConsequence, 'concerns' | 'apply'>) };
}

// Kysely cannot type a union of all tables. The functions below check types per table and pass names on.
type Loose = Record<string, unknown>;
type AnyTable = Record<string, Loose>;
const looseDb = (tx: Tx): Kysely<AnyTable> => tx.db.$extendTables<AnyTable>();

const insertChange = defineChange<{ into: string } & Insertion>('insert', applyInsert, {
  madeId: ({ row }) => {
    const { id } = row;
    return typeof id === 'string' ? id : null;
  },
});
const upsertChange = defineChange<{ into: string } & Replacement>('upsert', applyUpsert);
const updateChange = defineChange<{ table: string } & RowUpdate>('update', applyUpdate);
const removeChange = defineChange<{ from: string } & Removal>('delete', applyRemove);

export function insert<T extends Table>({ name }: T, insertion: Insertion<T>): Change {
  return insertChange({ into: name, ...(insertion as Insertion) });
}

export function upsert<T extends Table>({ name }: T, replacement: Replacement<T>): Change {
  return upsertChange({ into: name, ...(replacement as Replacement) });
}

export function update<T extends Table>({ name }: T, change: RowUpdate<T>): Change {
  return updateChange({ table: name, ...(change as RowUpdate) });
}

export function remove<T extends Table>({ name }: T, removal: Removal<T>): Change {
  return removeChange({ from: name, ...(removal as Removal) });
}

/** Returns the row that a change inserts into the table; null for any other change. */
export function insertedRow<T extends Table>(change: Change, { name }: T): NewRow<T> | null {
  return insertChange.is(change) && change.into === name ? (change.row as NewRow<T>) : null;
}

/** Returns the table that a change inserts into; null for any other change. */
export function insertedInto(change: Change): string | null {
  return insertChange.is(change) ? change.into : null;
}

export function updates(change: Change, { name }: Table): boolean {
  return updateChange.is(change) && change.table === name;
}

/** Inserts a row. Returns false if `conflict` is `ignore` and another row has the value of a unique column. */
export async function insertOne<T extends Table>(
  { tx, engine }: Writing,
  { name }: Pick<T, 'name'>,
  { row, conflict }: Insertion<T>,
): Promise<boolean> {
  const query = looseDb(tx).insertInto(name).values(row);
  if (conflict === 'ignore') {
    const added = await query.onConflict((taken) => taken.doNothing()).executeTakeFirst();
    return Number(added.numInsertedOrUpdatedRows ?? 0) > 0;
  }
  try {
    await query.execute();
  } catch (error) {
    if (conflict && engine.isUniqueViolation(error)) refuse(conflict);
    throw error;
  }
  return true;
}

/** Updates the matching rows and returns the given columns of them. */
export async function updateRows<T extends Table, C extends NameOf<T>>(
  { tx }: Writing,
  { name }: T,
  { set, where }: Pick<RowUpdate<T>, 'set' | 'where'>,
  returning: readonly C[],
): Promise<Pick<RowOf<T>, C>[]> {
  return (await changed(tx, { table: name, set, where }, returning)) as Pick<RowOf<T>, C>[];
}

function changed(
  tx: Tx,
  { table, set, where }: { table: string; set: Loose; where: Loose },
  returning: readonly string[],
): Promise<Row[]> {
  return looseDb(tx).updateTable(table).set(set).where(matches(where)).returning(returning).execute();
}

/** Deletes the matching rows and returns the given columns of them. */
export async function removeRows<T extends Table, C extends NameOf<T>>(
  { tx }: Writing,
  { name }: T,
  where: Where<T>,
  returning: readonly C[],
): Promise<Pick<RowOf<T>, C>[]> {
  const query = looseDb(tx).deleteFrom(name).where(matches(where));
  return (await query.returning(returning).execute()) as Pick<RowOf<T>, C>[]; // the columns of `returning`
}

async function applyInsert(writing: Writing, { into, ...insertion }: { into: string } & Insertion) {
  await insertOne(writing, { name: into }, insertion);
}

async function applyUpsert(
  { tx }: Writing,
  { into, row, key, set }: { into: string } & Replacement,
): Promise<void> {
  await looseDb(tx)
    .insertInto(into)
    .values(row)
    .onConflict((taken) => taken.columns(key).doUpdateSet(set))
    .execute();
}

async function applyUpdate(writing: Writing, change: { table: string } & RowUpdate): Promise<void> {
  const { tx, engine, consequences } = writing;
  const { table, where, otherwise, conflict } = change;
  const { set } = change;
  const consequence = consequences.get(table);
  try {
    if (consequence?.concerns(set) === true) {
      const rows = await changed(tx, { table, set, where }, consequence.columns);
      if (rows.length === 0 && otherwise) refuse(otherwise);
      await consequence.apply(writing, { set, where }, rows);
      return;
    }
    const query = looseDb(tx).updateTable(table).set(set).where(matches(where));
    const result = await query.executeTakeFirst();
    if (otherwise && Number(result.numUpdatedRows) === 0) refuse(otherwise);
  } catch (error) {
    if (conflict && engine.isUniqueViolation(error)) refuse(conflict);
    throw error;
  }
}

async function applyRemove(
  { tx }: Writing,
  { from, where, otherwise }: { from: string } & Removal,
): Promise<void> {
  const result = await looseDb(tx).deleteFrom(from).where(matches(where)).executeTakeFirst();
  if (otherwise && Number(result.numDeletedRows) === 0) refuse(otherwise);
}

function matches(where: Loose) {
  return (eb: ExpressionBuilder<AnyTable, string>) =>
    eb.and(
      Object.entries(where).map(([column, value]) => {
        if (value === null) return eb(column, 'is', null);
        // PostgreSQL does not accept an empty list.
        if (Array.isArray(value) && value.length === 0) return eb.lit(false);
        return eb(column, Array.isArray(value) ? 'in' : '=', value);
      }),
    );
}
