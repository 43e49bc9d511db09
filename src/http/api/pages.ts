// Pages of lists: what a query asks for, and the envelope around what was found.
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import type { Page, PageRequest } from '../../store/scope.js';
import { bindingOf } from './cursors.js';

export { pageQuery, pageQueryWith } from '../../contract/lists.js';

const DEFAULT_LIMIT = 25;

/** A request for a list. */
export type ListRequest = Pick<FastifyRequest, 'server' | 'routeOptions' | 'params' | 'caller'> & {
  query: { limit?: number; cursor?: string };
};

/** The page that a request asks for. Refused with `invalid_cursor` when the cursor is not of this list. */
export function readPage(request: ListRequest): PageRequest {
  const { limit = DEFAULT_LIMIT, cursor } = request.query;
  if (cursor === undefined) return { limit, after: null };
  const after = request.server.cursors.open(bindingOf(request), cursor);
  if (after === null) throw new Refusal('invalid_cursor', undefined, { param: 'cursor' });
  return { limit, after };
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
