// Common parts of most lists: a page begins after a key, in either order, between two times; and a search for text in columns.
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { likePattern } from './sql.js';
import type { PageRequest } from './scope.js';

// Lists whose rows are checked one by one: in windows of so many candidates, so that one statement is short, and up to a
// limit, so that one request is. The page then comes short, or empty, and has a next one.
/** Candidates of the first window: much matches, mostly; of the others (about 10 ms in SQLite); and of one page. */
export const WINDOWS = { first: 1_000, next: 4_000, page: 50_000 };
export type Windows = typeof WINDOWS;

export interface WindowedList<Row> {
  limit: number;
  /** The key that the page before ended with. */
  after: string | null;
  keyOf: (row: Row) => string;
  /** The key of the last of the next `count` candidates beyond a key; null where there are fewer. */
  endOf: (after: string | null, count: number) => Promise<string | null>;
  /** Rows that match, in their order, beyond `after`, up to and with `end`, or all where it is null. */
  rowsOf: (window: { after: string | null; end: string | null; limit: number }) => Promise<Row[]>;
}

export async function pageInWindows<Row>(
  { limit, after: start, keyOf, endOf, rowsOf }: WindowedList<Row>,
  windows: Windows = WINDOWS,
): Promise<{ rows: Row[]; next: string | null }> {
  const rows: Row[] = [];
  let after = start;
  for (let looked = 0; looked < windows.page;) {
    const count = looked === 0 ? windows.first : windows.next;
    const end = await endOf(after, count);
    rows.push(...(await rowsOf({ after, end, limit: limit + 1 - rows.length })));
    if (rows.length > limit) {
      const last = rows[limit - 1];
      return { rows: rows.slice(0, limit), next: last === undefined ? null : keyOf(last) };
    }
    if (end === null) return { rows, next: null };
    after = end;
    looked += count;
  }
  return { rows, next: after };
}

/** Of two times that both bound a list from below, the one that holds. */
export function latest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

export function earliest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

interface PageColumns {
  /** Column that the list is ordered and cut by; rows made later have a higher one. */
  key: string;
  /** Whether the key is a number, and not an id. */
  isNumber?: boolean;
  /** The table's name in the statement, where it has several. */
  of?: string;
}

/** The rows of a page and one more, for `pageOf`. */
export function paged<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  page: PageRequest,
  { key, isNumber = false, of }: PageColumns,
): SelectQueryBuilder<DB, TB, O> {
  const column = (name: string) => sql.ref(of === undefined ? name : `${of}.${name}`);
  const { after, order = 'desc', createdAfter, createdBefore } = page;
  let found = query.orderBy(column(key), order).limit(page.limit + 1);
  if (after !== null) {
    const beyond = order === 'desc' ? sql`<` : sql`>`;
    found = found.where(sql<SqlBool>`${column(key)} ${beyond} ${isNumber ? Number(after) : after}`);
  }
  if (createdAfter !== undefined) {
    found = found.where(sql<SqlBool>`${column('created_at')} >= ${createdAfter}`);
  }
  if (createdBefore !== undefined) {
    found = found.where(sql<SqlBool>`${column('created_at')} < ${createdBefore}`);
  }
  return found;
}

/** Whether one of the columns holds the text somewhere, whatever the case of its letters. */
export function holding(columns: readonly string[], q: string): RawBuilder<SqlBool> {
  const pattern = likePattern(q.toLowerCase());
  const tests = columns.map((column) => sql`lower(${sql.ref(column)}) LIKE ${pattern}`);
  return sql<SqlBool>`(${sql.join(tests, sql` OR `)})`;
}
