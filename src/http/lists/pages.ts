// Reads the page that a query requests, and wraps results in the list envelope.
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import { cutPage, type Page, type PageRequest } from '../../database/scope.js';
import { cursorBinding } from './cursors.js';
import { readInstant } from '../body/fields.js';

export { createdQueryWith, orderedQuery, pageQuery, pageQueryWith } from '../../contract/lists.js';

const DEFAULT_LIMIT = 25;

export type ListRequest = Pick<FastifyRequest, 'server' | 'routeOptions' | 'params' | 'caller'> & {
  query: {
    limit?: number;
    cursor?: string;
    order?: string;
    created_after?: string;
    created_before?: string;
  };
};

/**
 * Reads the requested page. Refuses with `invalid_cursor` if the cursor is not of this list, and with `validation_error` for an
 * invalid time.
 */
export function readPage(request: ListRequest): PageRequest {
  const { limit = DEFAULT_LIMIT, cursor, order } = request.query;
  const { created_after: createdAfter, created_before: createdBefore } = request.query;
  const wanted = {
    limit,
    ...(order === 'created_at' ? { order: 'asc' as const } : {}),
    ...(createdAfter === undefined ? {} : { createdAfter: readInstant('created_after', createdAfter) }),
    ...(createdBefore === undefined ? {} : { createdBefore: readInstant('created_before', createdBefore) }),
  };
  if (cursor === undefined) return { ...wanted, after: null };
  const after = request.server.cursors.open(cursorBinding(request), cursor);
  if (after === null) throw new Refusal('invalid_cursor', undefined, { param: 'cursor' });
  return { ...wanted, after };
}

/** Returns the filters `since` and `until` in epoch ms. Refuses with `validation_error` for an invalid time. */
export function readRange({ since, until }: { since?: string; until?: string }): {
  since?: number;
  until?: number;
} {
  return {
    ...(since === undefined ? {} : { since: readInstant('since', since) }),
    ...(until === undefined ? {} : { until: readInstant('until', until) }),
  };
}

/**
 * Pages rows in memory by key, newest ids first unless the order is `asc`. The next page continues at the right position even
 * if the last row was removed.
 */
export function pageInMemory<Row>(
  rows: readonly Row[],
  { limit, after, order = 'desc' }: PageRequest,
  keyOf: (row: Row) => string,
): Page<Row> {
  const isBefore = (a: string, b: string): boolean => (order === 'asc' ? a < b : a > b);
  const rest = rows.filter((row) => after === null || isBefore(after, keyOf(row)));
  rest.sort((a, b) => (isBefore(keyOf(a), keyOf(b)) ? -1 : 1));
  return cutPage(rest, limit, keyOf);
}

/** The list envelope around a page of rows. */
export function listAnswer<Row, Wire>(request: ListRequest, page: Page<Row>, present: (row: Row) => Wire) {
  const { next } = page;
  return {
    object: 'list' as const,
    data: page.rows.map(present),
    has_more: next !== null,
    next_cursor: next === null ? null : request.server.cursors.seal(cursorBinding(request), next),
  };
}

/** Returns the two times of a page, for lists that treat them as filters. */
export function creationTimes({
  createdAfter,
  createdBefore,
}: PageRequest): Pick<PageRequest, 'createdAfter' | 'createdBefore'> {
  return {
    ...(createdAfter === undefined ? {} : { createdAfter }),
    ...(createdBefore === undefined ? {} : { createdBefore }),
  };
}
