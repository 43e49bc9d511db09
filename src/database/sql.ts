// Helpers for hand-written SQL: types of its rows, lists padded to a power of two, multi-row INSERTs, columns excluded from indexes,
// and LIKE patterns.
import { type RawBuilder, sql } from 'kysely';
import type { Table } from './columns.js';
import type { Row, Value, Tx } from './engine/engine.js';

/**
 * Rows per statement. Two of these sum to every number up to the largest, so few statement texts suffice. One statement for
 * many rows costs fewer calls into the engine.
 */
const ROWS = [64, 56, 48, 40, 32, 28, 24, 20, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1];

const texts = new Map<string, string>();

/** Returns `INSERT INTO t (a, b)`. */
export function insertInto({ name }: Table, columns: readonly string[]): string {
  return `INSERT INTO ${name} (${columns.join(', ')})`;
}

/** Returns `INSERT INTO t (a, b) VALUES (?, ?)`. */
export function insertRow(table: Table, columns: readonly string[]): string {
  return textOf(insertInto(table, columns), columns.length, 1);
}

/**
 * Inserts rows. `head` is `INSERT INTO t (a, b)`, each row has a value per column, and `tail` is a clause such as ON CONFLICT.
 * Returns the rows of its RETURNING.
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
 * Keeps a numeric column from choosing an index, like `+column` in hand-written SQL. Without statistics SQLite assumes ten rows
 * per environment, so it would read all messages of the environment for five ids, or for one row in another order.
 */
export function notByIndex(column: string): RawBuilder<number> {
  return sql<number>`+${sql.ref(column)}`;
}

interface InList {
  /** `?, ?, …` for `IN (…)`. */
  marks: string;
  values: Value[];
}

const marksOf = new Map<number, string>();

/** Repeats the last value up to the next power of two. `values` must not be empty. */
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
 * Repeats `select` for each of `tuples`, which must not be empty. The last one is repeated up to the next power of two, so its
 * rows may appear twice. Each uses an index; for conditions joined by OR, PostgreSQL scans whole tables while it has no
 * statistics.
 */
export function buildUnion(
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

/** Returns a LIKE pattern that finds `text` anywhere. Wildcards in `text` match any character. */
export function likePattern(text: string): string {
  return `%${text.replace(/[%_\\]/g, '_')}%`;
}

/** Returns a LIKE pattern for texts that end with `text`. */
export function likeSuffix(text: string): string {
  return likePattern(text).slice(0, -1);
}

/** Returns a LIKE pattern for texts that start with `text`. */
export function likePrefix(text: string): string {
  return likePattern(text).slice(1);
}
