import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/lib/json/canonical-json.js';
import { anyCodePoint } from '../../support/any-text.js';

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

const json = fc
  .jsonValue({ maxDepth: 6, stringUnit: anyCodePoint })
  // RFC 8785 writes -0 as 0, so it does not come back.
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

describe('canonical JSON', () => {
  // RFC 8785 sections 3.2.2 and 3.2.3, and appendix B.
  it.each([
    [{ literals: [null, true, false] }, '{"literals":[null,true,false]}'],
    [[333333333.3333333, 1e30, 4.5, 2e-3, 1e-27], '[333333333.3333333,1e+30,4.5,0.002,1e-27]'],
    [[-0, 1e21, 5e-324, 9007199254740991], '[0,1e+21,5e-324,9007199254740991]'],
    ['\u20ac$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    [{ b: 1, a: { d: 2, c: [] }, '': {} }, '{"":{},"a":{"c":[],"d":2},"b":1}'],
    [{ 10: 1, 9: 2 }, '{"10":1,"9":2}'],
  ])('of %j equals the text of the RFC', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('sorts keys by UTF-16 code units', () => {
    const value = { '\u20ac': 5, '\r': 1, '\ufb33': 7, '1': 2, '\ud83d\ude00': 6, '\u0080': 3, '\u00f6': 4 };
    const order = [...canonicalJson(value).matchAll(/:(\d)/g)].map(([, digit]) => digit).join('');
    expect(order).toBe('1234567');
  });

  it('parses to its input', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('of parsed canonical text is unchanged', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('keeps a key called __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1},"b":2}'))).toBe('{"__proto__":{"a":1},"b":2}');
  });

  const cycle: unknown[] = [];
  cycle.push(cycle);
  it.each([
    ['NaN', NaN, /\$ is NaN/],
    ['an infinity', { a: [1, -Infinity] }, /\$\.a\[1\] is -Infinity/],
    ['undefined', undefined, /undefined/],
    ['an undefined property', { a: undefined }, /\$\.a is of type undefined/],
    ['a hole in an array', new Array<number>(1), /\$\[0\]/],
    ['a bigint', 1n, /bigint/],
    ['a function', () => 1, /function/],
    ['a symbol', Symbol('a'), /symbol/],
    ['a date', new Date(0), /plain object/],
    ['a map', new Map(), /plain object/],
    ['a buffer', Buffer.from('a'), /plain object/],
    ['a lone high surrogate', 'a\ud800', /surrogate/],
    ['a lone low surrogate', ['\udc00a'], /\$\[0\].*surrogate/],
    ['a lone surrogate in a key', { '\ud800': 1 }, /surrogate/],
    ['a cycle', cycle, /deeper than 128/],
  ])('refuses %s', (_name, value, reason) => {
    expect(() => canonicalJson(value)).toThrow(reason);
  });

  it('refuses deep nesting without running out of stack', () => {
    const deep: unknown = JSON.parse('['.repeat(5000) + ']'.repeat(5000));
    expect(() => canonicalJson(deep)).toThrow(/deeper/);
  });
});
