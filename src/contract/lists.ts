// Lists of /v1: the query of a page, and the envelope of the answer.
import { Type, type TObject, type TProperties, type TSchema } from 'typebox';
import { closed, LIST_ENVELOPE, nameEnums, nullable, oneOf } from './schema.js';

const pageFields = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 25,
      description: 'Maximum number of objects to return.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 200, description: 'The `next_cursor` of the previous page.' }),
  ),
};

/** Filters for a range of `created_at`. */
export const createdFields = {
  created_after: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Created at or after this date or ISO 8601 time with an offset.',
    }),
  ),
  created_before: Type.Optional(
    Type.String({ maxLength: 64, description: 'Created before this date or ISO 8601 time with an offset.' }),
  ),
};

/** Filters for a time range of entries without `created_at`. */
export const rangeFields = {
  since: Type.Optional(
    Type.String({ maxLength: 64, description: 'A date, or an ISO 8601 time with an offset (inclusive).' }),
  ),
  until: Type.Optional(
    Type.String({ maxLength: 64, description: 'A date, or an ISO 8601 time with an offset (exclusive).' }),
  ),
};

const MOST_VALUES = 20;

/** A filter that accepts several words: `status=bounced,failed`, or the parameter repeated. */
export function anyOf<const V extends string>(values: readonly V[], description?: string) {
  const more = 'Comma-separated; matches any.';
  return Type.Optional(
    Type.Array(oneOf(values), {
      minItems: 1,
      maxItems: MOST_VALUES,
      description: description === undefined ? more : `${description} ${more}`,
    }),
  );
}

/** A filter in a body that accepts several words. */
export function someOf<const V extends string>(values: readonly V[]) {
  return Type.Optional(
    Type.Array(oneOf(values), {
      minItems: 1,
      maxItems: MOST_VALUES,
      description: 'Matches any of these values.',
    }),
  );
}

/** A filter that accepts several texts, one per parameter. */
export function anyText(maxLength: number, description: string) {
  return Type.Optional(
    Type.Array(Type.String({ maxLength }), {
      minItems: 1,
      maxItems: MOST_VALUES,
      description: `${description} Repeat the parameter to match any of several.`,
    }),
  );
}

/** A filter for text within fields. */
export function partOf(fields: string) {
  return Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: `Text to find in ${fields}.` }),
  );
}

/** `summary` omits the large fields of each row. Default: `full`. */
export function viewOf(left: string) {
  return Type.Optional(
    oneOf(['full', 'summary'], {
      description: `\`summary\` returns compact objects without ${left}. Defaults to full objects.`,
    }),
  );
}

/** Returns the query schema of a list with these filters. */
export function pageQueryWith<P extends TProperties>(filters: P) {
  return closed({ ...pageFields, ...filters });
}

/** Query schema of a list without filters. */
export const pageQuery = pageQueryWith({});

/** Like `pageQueryWith`, with a range of `created_at`. */
export function createdQueryWith<P extends TProperties>(filters: P) {
  return pageQueryWith({ ...createdFields, ...filters });
}

/** Like `createdQueryWith`, with the order of `created_at`. */
export function orderedQueryWith<P extends TProperties>(filters: P) {
  return createdQueryWith({
    order: Type.Optional(
      oneOf(['created_at', '-created_at'], {
        description: 'Sort order. Defaults to newest first (`-created_at`).',
      }),
    ),
    ...filters,
  });
}

export const orderedQuery = orderedQueryWith({});

/** Returns the schema of a row with `view=summary`: the given fields, and `<object>_summary` as `object`. */
export function summaryOf<P extends TProperties, K extends keyof P & string, const N extends string>(
  name: N,
  { properties }: TObject<P>,
  keys: readonly K[],
) {
  const kept = Object.fromEntries(keys.map((key) => [key, properties[key]])) as Pick<P, K>;
  return Type.Object({ ...kept, object: Type.Literal(name) });
}

/** `{object:'list', data, has_more, next_cursor}`, newest first. */
export function listOf<S extends TSchema>(item: S) {
  const list = Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(item),
    has_more: Type.Boolean({
      description: 'Whether another page follows, even if this one is short or empty.',
    }),
    next_cursor: nullable(Type.String({ description: 'Cursor of the next page. `null` on the last page.' })),
  });
  return Object.assign(list, { [LIST_ENVELOPE]: true });
}

nameEnums({ ListOrder: ['created_at', '-created_at'], ListView: ['full', 'summary'] });
