// Tests that the problems of a filter are reported with their position.
import { expect, it } from 'vitest';
import { readSegment } from '../../src/contacts/lists/segment.rules.js';

const deep = (levels: number): unknown =>
  levels === 0 ? { field: 'tag', op: 'exists' } : { all: [deep(levels - 1)] };

it.each([
  ['no object', 'x', 'filter'],
  ['neither all nor any', {}, 'filter'],
  ['both', { all: [], any: [] }, 'filter'],
  ['an empty group', { all: [] }, 'filter'],
  [
    'too many conditions',
    { all: Array.from({ length: 51 }, () => ({ field: 'tag', op: 'exists' })) },
    'filter',
  ],
  [
    'too many in groups',
    {
      all: [1, 2, 3].map(() => ({ any: Array.from({ length: 20 }, () => ({ field: 'tag', op: 'exists' })) })),
    },
    'filter',
  ],
  ['too many levels', deep(4), 'filter.all.0.all.0.all.0'],
  ['no condition', { all: [5] }, 'filter.all.0'],
  ['an unknown part', { all: [{ field: 'tag', op: 'has', value: 'x', other: 1 }] }, 'filter.all.0.other'],
  ['an unknown field', { all: [{ field: 'age', op: 'eq', value: 1 }] }, 'filter.all.0.field'],
  ['a field of every object', { all: [{ field: 'constructor', op: 'eq', value: 1 }] }, 'filter.all.0.field'],
  ['metadata without a key', { all: [{ field: 'metadata', op: 'exists' }] }, 'filter.all.0.field'],
  ['a key with a quote', { all: [{ field: 'metadata.a"b', op: 'exists' }] }, 'filter.all.0.field'],
  ['an operator of another field', { any: [{ field: 'tag', op: 'gt', value: 1 }] }, 'filter.any.0.op'],
  ['no value', { any: [{ field: 'name', op: 'eq' }] }, 'filter.any.0.value'],
  ['a value where none goes', { any: [{ field: 'name', op: 'exists', value: 'x' }] }, 'filter.any.0.value'],
  ['a number for a name', { any: [{ field: 'name', op: 'eq', value: 1 }] }, 'filter.any.0.value'],
  ['a text for a number', { any: [{ field: 'metadata.age', op: 'gt', value: '1' }] }, 'filter.any.0.value'],
  ['a list where one goes', { any: [{ field: 'name', op: 'eq', value: ['x'] }] }, 'filter.any.0.value'],
  ['one where a list goes', { any: [{ field: 'name', op: 'in', value: 'x' }] }, 'filter.any.0.value'],
  ['an unknown status', { any: [{ field: 'status', op: 'eq', value: 'gone' }] }, 'filter.any.0.value'],
  ['no time', { any: [{ field: 'created_at', op: 'after', value: 'soon' }] }, 'filter.any.0.value'],
  [
    'a day that is none',
    { any: [{ field: 'metadata.born', op: 'after', value: '2026-13-01' }] },
    'filter.any.0.value',
  ],
  [
    'in the second level',
    { all: [{ any: [{ field: 'tag', op: 'has', value: '' }] }] },
    'filter.all.0.any.0.value',
  ],
])('reports the path of %s', (_name, input, path) => {
  const read = readSegment(input, 'filter');
  expect(read.ok).toBe(false);
  expect(read.ok ? [] : read.problems.map((problem) => problem.path)).toContain(path);
});

it.each([
  { all: [{ field: 'metadata.age', op: 'gte', value: 18 }] },
  {
    any: [
      { field: 'metadata.vip', op: 'eq', value: true },
      { all: [{ field: 'list', op: 'in', value: ['lst_1'] }] },
    ],
  },
  deep(3),
  { all: [{ field: 'created_at', op: 'after', value: '2026-03-01T09:00:00Z' }] },
])('accepts %j', (input) => {
  expect(readSegment(input, 'filter')).toEqual({ ok: true, filter: input });
});
