// Tests that the schema, which is checked first, limits every field that a vendor's client can fill.
import { describe, expect, it } from 'vitest';
import { VENDORS } from '../../src/compat/compat.js';

interface Part {
  type?: string;
  maxLength?: number;
  maxItems?: number;
  enum?: unknown;
  const?: unknown;
  pattern?: string;
}

/** Places of texts and lists in a schema that may be of any length. */
function unbounded(schema: unknown, place = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, maxLength, maxItems, ...more } = schema as Part;
  const isFixed = more.enum !== undefined || more.const !== undefined || more.pattern !== undefined;
  const own =
    (type === 'string' && maxLength === undefined && !isFixed) || (type === 'array' && maxItems === undefined)
      ? [place]
      : [];
  return [...own, ...Object.entries(schema).flatMap(([name, part]) => unbounded(part, `${place}/${name}`))];
}

describe.each(VENDORS.map(({ name, routes }) => ({ name, routes })))('$name', ({ routes }) => {
  it('limits every text and list of its requests', () => {
    const found = routes.flatMap(({ method, path, body, query }) =>
      [...unbounded(body), ...unbounded(query)].map((place) => `${method} ${path} ${place}`),
    );
    expect(found).toEqual([]);
  });
});
