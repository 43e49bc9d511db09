import { describe, expect, it } from 'vitest';
import { dataProblem, lineProblem } from '../../src/contract/plain-text.js';

describe('free data', () => {
  it.each<[string, object, string | null]>([
    ['plain values', { a: [1, 'x', null, true, { b: 1.5 }] }, null],
    ['32 levels', { a: deep(31) as object }, null],
    ['33 levels', { a: deep(32) as object }, 'is nested more than 32 levels deep'],
    ['infinity', { a: Infinity }, 'contains a number that is too large'],
    ['2^53', { a: [2 ** 53] }, 'contains a whole number that would lose digits; give it as a string'],
    ['half a pair', { a: '\ud800' }, 'contains half of a surrogate pair, which has no UTF-8 form'],
  ])('with %s', (_name, value, expected) => {
    expect(dataProblem(value)).toBe(expected);
  });
});

describe('single-line text', () => {
  it.each([
    ['Grüße “x” 😀', null],
    ['a\r\nb', 'contains a line break'],
    ['a\u2028b', 'contains a control character'],
    ['a\x85b', 'contains a control character'],
    ['\ud800', 'contains half of a surrogate pair, which has no UTF-8 form'],
  ])('checks %j', (text, expected) => {
    expect(lineProblem(text)).toBe(expected);
  });
});

function deep(levels: number): unknown {
  return levels === 0 ? 1 : { a: deep(levels - 1) };
}
