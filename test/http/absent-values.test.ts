// Tests values of bodies that count as absent: null, and empty texts and lists.
import { expect, it } from 'vitest';
import { Type } from 'typebox';
import { closed, KEEPS_EMPTY, nullable, oneOf } from '../../src/contract/schema.js';
import { absentRemover } from '../../src/http/body/absent-values.js';

const address = Type.Union([
  Type.String(),
  closed({ email: Type.String(), name: Type.Optional(Type.String()) }),
]);
const schema = closed({
  to: address,
  subject: Type.Optional(Type.String()),
  type: Type.Optional(oneOf(['a', 'b'])),
  cleared: Type.Optional(nullable(Type.String())),
  free: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  anything: Type.Optional(Type.Unknown()),
  list: Type.Optional(Type.Array(closed({ id: Type.String(), note: Type.Optional(Type.String()) }))),
});
const remove = absentRemover(schema);
const without = (body: unknown, isEmptyAbsent = false): unknown => {
  remove(body, { isEmptyAbsent });
  return body;
};

it('`null` equals an absent optional field at any depth', () => {
  const body = {
    to: { email: 'a@example.com', name: null },
    subject: null,
    type: null,
    list: [{ id: '1', note: null }, null, 7],
  };
  expect(without(body)).toEqual({ to: { email: 'a@example.com' }, list: [{ id: '1' }, null, 7] });
});

it('`null` is kept if it has a meaning, if the field is required, and in free data', () => {
  const body = { to: null, cleared: null, anything: null, free: { a: null }, unknown: null };
  expect(without(structuredClone(body))).toEqual(body);
});

it.each([null, 7, 'text', [null], { to: 7, list: 'x' }])('%j is not changed', (body) => {
  expect(without(structuredClone(body))).toEqual(body);
  expect(without(structuredClone(body), true)).toEqual(body);
});

it('empty texts and lists equal absent optional fields at any depth', () => {
  const body = {
    to: { email: '', name: '' },
    subject: '',
    type: '',
    cleared: '',
    list: [{ id: '', note: '' }],
  };
  expect(without(structuredClone(body))).toEqual(body);
  expect(without(body, true)).toEqual({ to: { email: '' }, list: [{ id: '' }] });
  expect(without({ to: '', list: [] }, true)).toEqual({ to: '' });
});

it('empty texts and lists are kept in free data, in enums that contain them, and in objects that keep them', () => {
  const kept = closed({
    anything: Type.Optional(Type.Unknown()),
    free: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    word: Type.Optional(oneOf(['', 'a'])),
    filter: Type.Optional(closed({ tag: Type.Optional(Type.String()) }, { [KEEPS_EMPTY]: true })),
  });
  const body = { anything: [], free: { a: '' }, word: '', filter: { tag: '' } };
  const removed = structuredClone(body);
  absentRemover(kept)(removed, { isEmptyAbsent: true });
  expect(removed).toEqual(body);
});

it('in a union, only the form selected by its constant determines the optional fields', () => {
  const union = Type.Union([
    closed({ kind: Type.Literal('a'), value: Type.Optional(Type.String()) }),
    closed({ kind: Type.Literal('b'), value: Type.String() }),
  ]);
  const removed = [
    { kind: 'a', value: '' },
    { kind: 'b', value: '' },
  ];
  absentRemover(Type.Array(union))(removed, { isEmptyAbsent: true });
  expect(removed).toEqual([{ kind: 'a' }, { kind: 'b', value: '' }]);
});
