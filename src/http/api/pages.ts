// Cursors: opaque on the wire, the last key of the page inside.
import { Refusal } from '../../contract/refusal.js';
import type { Page, PageRequest } from '../../store/scope.js';

export { pageQuery, pageQueryWith } from '../../contract/lists.js';

const DEFAULT_LIMIT = 25;
const PUBLIC_ID = /^[a-z]{2,4}_[0-9a-z]{26}$/;
/** For lists whose pages are cut at a row number. */
export const ROW_NUMBER = /^[1-9][0-9]{0,15}$/;

/**
 * The page that a query asks for. `keyForm` is what the list's cursors hold: public ids unless said otherwise.
 * Refused with `invalid_cursor` when the cursor cannot be this list's.
 */
export function readPage(
  query: { limit?: number; cursor?: string },
  keyForm: RegExp = PUBLIC_ID,
): PageRequest {
  const limit = query.limit ?? DEFAULT_LIMIT;
  if (query.cursor === undefined) return { limit, after: null };
  const after = Buffer.from(query.cursor, 'base64url').toString('latin1');
  if (!keyForm.test(after) || cursorOf(after) !== query.cursor) {
    throw new Refusal('invalid_cursor', undefined, { param: 'cursor' });
  }
  return { limit, after };
}

/** The list envelope around a page of rows. */
export function listAnswer<Row, Wire>(page: Page<Row>, present: (row: Row) => Wire) {
  return {
    object: 'list' as const,
    data: page.rows.map(present),
    has_more: page.next !== null,
    next_cursor: page.next === null ? null : cursorOf(page.next),
  };
}

function cursorOf(key: string): string {
  return Buffer.from(key, 'latin1').toString('base64url');
}
