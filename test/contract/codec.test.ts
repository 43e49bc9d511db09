// Tests wire objects that are derived from rows: conversions at runtime, and compile-time errors.
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { wireOf } from '../../src/contract/codec.js';
import { metadata, nullable, timestamp, timestampWith } from '../../src/contract/schema.js';
import { iso } from '../../src/contract/time.js';

const thing = Type.Object({
  id: Type.String(),
  object: Type.Literal('thing'),
  kind: Type.Enum(['a', 'b']),
  is_default: Type.Boolean(),
  tags: nullable(Type.Array(Type.String())),
  metadata,
  note: Type.Optional(Type.String()),
  created_at: timestamp,
  finished_at: nullable(timestampWith({ description: 'Null before.' })),
});

interface Row {
  id: string;
  kind: 'a' | 'b';
  is_default: 0 | 1;
  tags: string | null;
  metadata: string;
  note: string | null;
  secret: string;
  created_at: number;
  finished_at: number | null;
}

const row: Row = {
  id: 'thg_1',
  kind: 'a',
  is_default: 1,
  tags: '["x"]',
  metadata: '{"order":4711}',
  note: 'not asked for',
  secret: 'never shown',
  created_at: 1_700_000_000_123,
  finished_at: null,
};

test('columns become fields of the same name, copied or converted according to the schema', () => {
  const shown = wireOf(thing).from<Row>()(row);
  expect(shown).toStrictEqual({
    id: 'thg_1',
    object: 'thing',
    kind: 'a',
    is_default: true,
    tags: ['x'],
    metadata: { order: 4711 },
    created_at: '2023-11-14T22:13:20.123Z',
    finished_at: null,
  });
  expect(Object.keys(shown)).toEqual(Object.keys(thing.properties).filter((name) => name !== 'note'));
});

test('`null` stays `null`, 0 is false, and a time is formatted', () => {
  const present = wireOf(thing).from<Row>();
  expect(present({ ...row, is_default: 0, tags: null, finished_at: 0 })).toMatchObject({
    is_default: false,
    tags: null,
    finished_at: '1970-01-01T00:00:00.000Z',
  });
});

test('a field can be read from another column, or computed from the row and its context', () => {
  const present = wireOf(thing).from<Row, { by: string }>({
    id: 'secret',
    tags: ({ kind }, { by }) => [kind, by],
    note: ({ note }, { by }) => (by === 'me' ? (note ?? '') : undefined),
  });
  expect(present(row, { by: 'me' })).toMatchObject({
    id: 'never shown',
    tags: ['a', 'me'],
    note: 'not asked for',
  });
  expect('note' in present(row, { by: 'you' })).toBe(false);
});

test('rows do not affect each other', () => {
  const present = wireOf(thing).from<Row>();
  const first = present(row);
  present({ ...row, id: 'thg_2', tags: null });
  expect(first).toMatchObject({ id: 'thg_1', tags: ['x'] });
});

test('mismatches are compile errors', () => {
  const wire = wireOf(thing);
  // @ts-expect-error the field cannot be null
  wire.from<Omit<Row, 'created_at'> & { created_at: number | null }>();
  // @ts-expect-error a number is no text
  wire.from<Omit<Row, 'id'> & { id: number }>();
  // @ts-expect-error there is no such column
  wire.from<Omit<Row, 'id'>>();
  // @ts-expect-error any text is not one of these words
  wire.from<Omit<Row, 'kind'> & { kind: string }>();
  // @ts-expect-error any number is no flag
  wire.from<Omit<Row, 'is_default'> & { is_default: number }>();
  // @ts-expect-error another column that does not fit
  wire.from<Row>({ id: 'created_at' });
  // @ts-expect-error an unknown field
  wire.from<Row>({ identity: 'id' });
  // @ts-expect-error a required field is never undefined
  wire.from<Row>({ id: () => undefined });
  expect(wire.from<Omit<Row, 'id'> & { public_id: string }>({ id: 'public_id' })).toBeTypeOf('function');
});

test('times are formatted like Date does', () => {
  const edges = [0, -1, 1, 86_399_999, 86_400_000, -86_400_001, 253_402_300_800_000, 8.64e15, -8.64e15, 1.5];
  const some = Array.from({ length: 2000 }, (_, n) => Math.floor(((n * 7919.37) % 4000) * 1e9) - 1e12 + n);
  for (const at of [...edges, ...some]) expect(iso(at)).toBe(new Date(at).toISOString());
  expect(() => iso(Number.NaN)).toThrow(RangeError);
  expect(() => iso(8.64e15 + 1)).toThrow(RangeError);
});
