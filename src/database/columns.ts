// Declarations of tables: names and columns. Query types and column lists derive from them, and a test compares them with the
// migrated schema. Columns use the portable subset: text, integers and octets; instants are epoch milliseconds, booleans 0 or
// 1, JSON is text.
import type { Generated, Selectable } from 'kysely';

/** Epoch milliseconds, UTC. */
export type Instant = number;
/** JSON text. */
export type Json = string;
export type Flag = 0 | 1;

export interface Column<T = unknown> {
  readonly kind: 'int' | 'text' | 'blob';
  readonly isNullable: boolean;
  /** The database sets the value if an INSERT omits the column. */
  readonly isGenerated: boolean;
  /** Used by the compiler only. */
  readonly type?: T;
}

type Columns = Readonly<Record<string, Column>>;

export interface Table<N extends string = string, C extends Columns = Columns> {
  readonly name: N;
  readonly columns: C;
}

type TypeOf<C> = C extends Column<infer T> ? T : never;

/** Column types in the form that Kysely expects. */
export type ColumnsOf<T extends Table> = { [C in keyof T['columns']]: TypeOf<T['columns'][C]> };

/** Tables of a query, such as `TablesOf<typeof messages | typeof attempts>`. */
export type TablesOf<T extends Table> = { [O in T as O['name']]: ColumnsOf<O> };

/** A row as queries read it. */
export type RowOf<T extends Table> = Selectable<ColumnsOf<T>>;

const plain = <T>(kind: Column['kind']): Column<T> => ({ kind, isNullable: false, isGenerated: false });

export const int = <T extends number = number>(): Column<T> => plain('int');
export const text = <T extends string = string>(): Column<T> => plain('text');
export const blob = (): Column<Uint8Array> => plain('blob');
export const instant = (): Column<Instant> => plain('int');
export const json = (): Column<Json> => plain('text');
export const flag = (): Column<Flag> => plain('int');

/** A nullable column; an INSERT that omits it sets null. */
export const nullable = <T>(column: Column<T>): Column<T | null> => ({ ...column, isNullable: true });

/** A column with a counter or a default; an INSERT may omit it. */
export const generated = <T>(column: Column<T>): Column<Generated<T>> => ({
  ...plain(column.kind),
  isNullable: column.isNullable,
  isGenerated: true,
});

export function table<const N extends string, C extends Columns>(name: N, columns: C): Table<N, C> {
  return { name, columns };
}

type NameOf<T extends Table> = keyof T['columns'] & string;

/** Returns the names of all columns except `without`, in the order of the declaration. */
export function columnNames<T extends Table, W extends NameOf<T> = never>(
  { columns }: T,
  ...without: readonly W[]
): Exclude<NameOf<T>, W>[] {
  const left: ReadonlySet<string> = new Set(without);
  return Object.keys(columns).filter((name): name is Exclude<NameOf<T>, W> => !left.has(name));
}
