// Lists of /v1: the query that asks for a page and the envelope that answers.
import { Type } from 'typebox';
import type { TProperties, TSchema } from 'typebox';
import { closed, LIST_ENVELOPE, nullable } from './schema.js';

const pageFields = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Most objects on the page.' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of the page before.' })),
};

/** The query of a list with these filters. */
export function pageQueryWith<P extends TProperties>(filters: P) {
  return closed({ ...pageFields, ...filters });
}

/** The query of a list without filters. */
export const pageQuery = pageQueryWith({});

/** `{object:'list', data, has_more, next_cursor}`, newest first. */
export function listOf<S extends TSchema>(item: S) {
  const list = Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(item),
    has_more: Type.Boolean({
      description:
        'Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one.',
    }),
    next_cursor: nullable(Type.String({ description: 'The `cursor` of the next page; null on the last.' })),
  });
  return Object.assign(list, { [LIST_ENVELOPE]: true });
}
