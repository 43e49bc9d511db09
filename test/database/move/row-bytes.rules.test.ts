// Tests rows as bytes: what is equal, what differs, and what cannot be moved.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  RowBytes,
  type NulRule,
  type RowColumn,
  type RowValues,
} from '../../../src/database/move/row-bytes.rules.js';
import { inOrderOfReferences } from '../../../src/database/move/table-order.rules.js';
import { anyText } from '../../support/any-text.js';

const COLUMNS: readonly RowColumn[] = [
  { name: 'id', kind: 'int', isNullable: false },
  { name: 'words', kind: 'text', isNullable: true },
  { name: 'octets', kind: 'blob', isNullable: true },
];

function bytesOf(rows: readonly RowValues[], nul: NulRule = 'keep'): string {
  const octets = new RowBytes();
  for (const row of rows) octets.add(row, COLUMNS, nul);
  return octets.taken().toString('hex');
}

it('a row has the format of COPY: lengths, 64-bit integers, UTF-8', () => {
  expect(bytesOf([[-2, 'é', Buffer.from([0, 255])]])).toBe(
    '0003' + '00000008' + 'fffffffffffffffe' + '00000002' + 'c3a9' + '00000002' + '00ff',
  );
  expect(bytesOf([[2 ** 53 - 1, null, null]])).toBe(
    '0003' + '00000008' + '001fffffffffffff' + 'ffffffff'.repeat(2),
  );
});

it('different rows have different octets, however their values are divided', () => {
  const row = fc.tuple(
    fc.maxSafeInteger(),
    fc.option(anyText()),
    fc.option(fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes))),
  );
  const shown = (rows: readonly RowValues[]): string => JSON.stringify(rows);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 3 }), fc.array(row, { maxLength: 3 }), (some, others) => {
      expect(bytesOf(some) === bytesOf(others)).toBe(shown(some) === shown(others));
    }),
  );
  const texts = ['', 'a', 'ab', 'a\0'].map((text) => bytesOf([[1, text, null]]));
  expect(new Set([...texts, bytesOf([[1, null, null]]), bytesOf([[1, null, Buffer.alloc(0)]])]).size).toBe(6);
});

it.each<[RowValues, string]>([
  [[1.5, null, null], 'id: is not an integer below 2^53'],
  [[2 ** 53, null, null], 'id: is not an integer below 2^53'],
  [['1', null, null], 'id: is not an integer below 2^53'],
  [[null, null, null], 'id: is unexpectedly null'],
  [[1, Buffer.from('a'), null], 'words: is not text'],
  [
    [1, 'a\0b', null],
    'words: contains a NUL character, which PostgreSQL cannot store in text (strip it with --drop-nul)',
  ],
  [[1, null, 'a'], 'octets: is not binary data'],
])('%j cannot be moved', (row, problem) => {
  const tried = (): string => {
    try {
      return bytesOf([row], 'refuse');
    } catch (error) {
      const { column, message } = error as Error & { column: string };
      return `${column}: ${message}`;
    }
  };
  expect(tried()).toBe(problem);
});

it('a NUL character can be stripped', () => {
  expect(bytesOf([[1, '\0a\0\0b', null]], 'drop')).toBe(bytesOf([[1, 'ab', null]]));
});

it('tables follow those that they refer to, and otherwise keep their order', () => {
  const references = [
    { from: 'a', to: 'c' },
    { from: 'c', to: 'd' },
    { from: 'd', to: 'd' },
    { from: 'b', to: 'not among them' },
  ];
  expect(inOrderOfReferences(['a', 'b', 'c', 'd', 'e'], references)).toEqual(['d', 'c', 'a', 'b', 'e']);
  const circle = [...references, { from: 'd', to: 'a' }];
  expect(() => inOrderOfReferences(['a', 'b', 'c', 'd'], circle)).toThrow('lead back');
});
