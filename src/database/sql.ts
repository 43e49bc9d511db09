// Pieces of hand-written SQL: types of its rows, lists padded to a power of two, rows of one INSERT, columns that choose no index, patterns for LIKE.
import { type RawBuilder, sql } from 'kysely';
import type { Table } from './columns.js';
import type { Row, Value, Tx } from './engine/engine.js';

// Many rows by one statement: fewer steps into the engine than a statement for each.
/** Rows of one statement: two of these make every number up to the largest, and few statement texts serve all. */
const ROWS = [64, 56, 48, 40, 32, 28, 24, 20, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1];

const texts = new Map<string, string>();

/** `INSERT INTO t (a, b)`. */
export function insertInto({ name }: Table, columns: readonly string[]): string {
  return `INSERT INTO ${name} (${columns.join(', ')})`;
}

/** `INSERT INTO t (a, b) VALUES (?, ?)`. */
export function insertRow(table: Table, columns: readonly string[]): string {
  return textOf(insertInto(table, columns), columns.length, 1);
}

/**
 * `head` is `INSERT INTO t (a, b)`; each row has a value for each of its columns, in their order. `tail`: such as ON CONFLICT.
 * Answers what RETURNING in it returns.
 */
export async function insertRows(
  tx: Tx,
  head: string,
  rows: readonly (readonly Value[])[],
  tail = '',
): Promise<Row[]> {
  const isReturning = tail.includes('RETURNING');
  const returned: Row[] = [];
  for (let done = 0, size; done < rows.length; done += size) {
    const left = rows.length - done;
    size = ROWS.find((most) => most <= left) ?? 1;
    const set = rows.slice(done, done + size);
    const text = `${textOf(head, set[0]?.length ?? 0, size)} ${tail}`;
    if (isReturning) returned.push(...(await tx.run(text, set.flat())));
    else tx.post(text, set.flat());
  }
  return returned;
}

function textOf(head: string, columns: number, rows: number): string {
  const key = `${rows} ${head}`;
  let text = texts.get(key);
  if (text === undefined) {
    const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`;
    texts.set(key, (text = `${head} VALUES ${Array.from({ length: rows }, () => row).join(', ')}`));
  }
  return text;
}

/**
 * A number's column, kept out of the choice of an index; by hand it is `+column`. Without statistics SQLite takes rows of an
 * environment to be ten: for five ids it would read all messages of the environment, and as well for one row in the order of another.
 */
export function notByIndex(column: string): RawBuilder<number> {
  return sql<number>`+${sql.ref(column)}`;
}

export interface InList {
  /** `?, ?, …` for `IN (…)`. */
  marks: string;
  values: Value[];
}

const marksOf = new Map<number, string>();

/** Repeats the last value up to the next power of two; `values` must not be empty. */
export function inList(values: readonly Value[]): InList {
  let size = 1;
  while (size < values.length) size *= 2;
  let marks = marksOf.get(size);
  if (marks === undefined) marksOf.set(size, (marks = Array.from({ length: size }, () => '?').join(', ')));
  const last = values.at(-1) ?? null;
  return { marks, values: [...values, ...Array.from({ length: size - values.length }, () => last)] };
}

/** Types the rows of a hand-written statement, which must select the columns of T: nothing checks it. */
export function rowsAs<T>(rows: Row[] | Promise<Row[]>): T[] | Promise<T[]> {
  return rows as unknown as T[] | Promise<T[]>;
}

const unionTexts = new Map<string, string>();

/**
 * `select` once for each of `tuples`, which must not be empty; the last one again, up to the next power of two, so its rows may
 * come twice. Each is a look into an index of its own: of conditions that OR joins, PostgreSQL reads whole tables as long as it has
 * no statistics of them.
 */
export function unionOf(
  select: string,
  tuples: readonly (readonly Value[])[],
): { text: string; values: Value[] } {
  let size = 1;
  while (size < tuples.length) size *= 2;
  const key = `${size} ${select}`;
  let text = unionTexts.get(key);
  if (text === undefined) {
    text = Array.from({ length: size }, () => select).join(' UNION ALL ');
    unionTexts.set(key, text);
  }
  const last = tuples.at(-1) ?? [];
  return { text, values: [...tuples, ...Array.from({ length: size - tuples.length }, () => last)].flat() };
}

// Patterns for LIKE.
/** A LIKE pattern that finds `text` anywhere; its own wildcards lose their meaning as far as both engines allow. */
export function likePattern(text: string): string {
  return `%${text.replace(/[%_\\]/g, '_')}%`;
}

/** One that finds texts which end with `text`. */
export function likeSuffix(text: string): string {
  return likePattern(text).slice(0, -1);
}

/** One that finds texts which begin with `text`. */
export function likePrefix(text: string): string {
  return likePattern(text).slice(1);
}
