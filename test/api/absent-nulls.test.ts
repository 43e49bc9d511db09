// Explicit nulls in bodies.
import { expect, it } from 'vitest';
import { Type } from 'typebox';
import { closed, nullable, oneOf } from '../../src/contract/schema.js';
import { nullRemover } from '../../src/api/body/absent-nulls.js';

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
const remove = nullRemover(schema);
const without = (body: unknown): unknown => {
  remove(body);
  return body;
};

it('are as if the optional field were absent, however deep', () => {
  const body = {
    to: { email: 'a@example.com', name: null },
    subject: null,
    type: null,
    list: [{ id: '1', note: null }, null, 7],
  };
  expect(without(body)).toEqual({ to: { email: 'a@example.com' }, list: [{ id: '1' }, null, 7] });
});

it('stay where null says something, where the field is required, and in free data', () => {
  const body = { to: null, cleared: null, anything: null, free: { a: null }, unknown: null };
  expect(without(structuredClone(body))).toEqual(body);
});

it.each([null, 7, 'text', [null], { to: 7, list: 'x' }])('leave %j alone', (body) => {
  expect(without(structuredClone(body))).toEqual(body);
});
