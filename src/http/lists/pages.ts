// Pages of lists: what a query asks for, and the envelope around what was found.
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import { pageOf, type Page, type PageRequest } from '../../database/scope.js';
import { bindingOf } from './cursors.js';
import { readInstant } from '../body/fields.js';

export { createdQueryWith, orderedQuery, pageQuery, pageQueryWith } from '../../contract/lists.js';

const DEFAULT_LIMIT = 25;

/** A request for a list. */
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
 * The page that a request asks for. Refused with `invalid_cursor` when the cursor is not of this list, and
 * with `validation_error` for a time that is none.
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
  const after = request.server.cursors.open(bindingOf(request), cursor);
  if (after === null) throw new Refusal('invalid_cursor', undefined, { param: 'cursor' });
  return { ...wanted, after };
}

/** The filters `since` and `until` in epoch ms. Refused with `validation_error` for a time that cannot be read. */
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
 * The page of rows that are all in memory, in the order of their keys: of ids the newest first, unless the order is `asc`. The
 * next page goes on in its place where the last row of this one is gone.
 */
export function pageInMemory<Row>(
  rows: readonly Row[],
  { limit, after, order = 'desc' }: PageRequest,
  keyOf: (row: Row) => string,
): Page<Row> {
  const isBefore = (a: string, b: string): boolean => (order === 'asc' ? a < b : a > b);
  const rest = rows.filter((row) => after === null || isBefore(after, keyOf(row)));
  rest.sort((a, b) => (isBefore(keyOf(a), keyOf(b)) ? -1 : 1));
  return pageOf(rest, limit, keyOf);
}

/** The list envelope around a page of rows. */
export function listAnswer<Row, Wire>(request: ListRequest, page: Page<Row>, present: (row: Row) => Wire) {
  const { next } = page;
  return {
    object: 'list' as const,
    data: page.rows.map(present),
    has_more: next !== null,
    next_cursor: next === null ? null : request.server.cursors.seal(bindingOf(request), next),
  };
}

/** The two times of a page, where they are filters among others. */
export function timesOf({
  createdAfter,
  createdBefore,
}: PageRequest): Pick<PageRequest, 'createdAfter' | 'createdBefore'> {
  return {
    ...(createdAfter === undefined ? {} : { createdAfter }),
    ...(createdBefore === undefined ? {} : { createdBefore }),
  };
}
