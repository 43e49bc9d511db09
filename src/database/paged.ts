// Queries that most lists share: a page after a key, in either order, between two times; and a text search in columns.
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { likePattern } from './sql.js';
import type { PageRequest } from './scope.js';

// Lists that check rows individually. They read windows of candidates, which bounds each statement, up to a limit that bounds
// the request. A page may then be short or empty and still have a next page.
/** Candidates of the first window, which usually suffices; of further windows (about 10 ms in SQLite); and of one page. */
export const WINDOWS = { first: 1_000, next: 4_000, page: 50_000 };
export type Windows = typeof WINDOWS;

interface WindowedList<Row> {
  limit: number;
  /** Last key of the previous page. */
  after: string | null;
  keyOf: (row: Row) => string;
  /** Returns the key of the last of the next `count` candidates; null if there are fewer. */
  endOf: (after: string | null, count: number) => Promise<string | null>;
  /** Returns matching rows in order, after `after` and up to and including `end`, or without an end if it is null. */
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

/** Returns the later of two lower bounds. */
export function latest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

export function earliest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

interface PageColumns {
  /** Column by which the list is ordered and paged; later rows have higher values. */
  key: string;
  /** True if the key is a number rather than an id. */
  isNumber?: boolean;
  /** Name of the table in a statement with several tables. */
  of?: string;
}

/** Returns the rows of a page and one more, for `cutPage`. */
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

/** Whether one of the columns contains the text, ignoring case. */
export function holding(columns: readonly string[], q: string): RawBuilder<SqlBool> {
  const pattern = likePattern(q.toLowerCase());
  const tests = columns.map((column) => sql`lower(${sql.ref(column)}) LIKE ${pattern}`);
  return sql<SqlBool>`(${sql.join(tests, sql` OR `)})`;
}
