// What most lists have in common: a page is cut at the key, in either order, within two times; and a text within columns.
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { likePattern } from './like-pattern.js';
import type { PageRequest } from './scope.js';

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
