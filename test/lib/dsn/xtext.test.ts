import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUnitext, decodeXtext, encodeXtext } from '../../../src/lib/dsn/xtext.js';

describe('xtext', () => {
  it.each([
    ['QQ314159', 'QQ314159'],
    ['a+b=c', 'a+2Bb+3Dc'],
    ['two words', 'two+20words'],
    ['zoë', 'zo+C3+AB'],
  ])('%j is %j', (text, encoded) => {
    expect(encodeXtext(text)).toBe(encoded);
    expect(decodeXtext(encoded)).toBe(text);
  });

  it('ignores text that is not xtext', () => {
    for (const text of ['ann+tag@example.com', 'a b', 'a=b', 'zoë', '+2b'])
      expect(decodeXtext(text)).toBe(text);
  });

  it('can be decoded again, and needs no character that is invalid in commands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const encoded = encodeXtext(text);
        expect(encoded).toMatch(/^[!-*,-<>-~+]*$/);
        expect(decodeXtext(encoded)).toBe(text);
      }),
    );
  });
});

describe('unitext', () => {
  it.each([
    [String.raw`\x{5186}\x{6f22}@example.jp`, '円漢@example.jp'],
    [String.raw`a\x{2B}b`, 'a+b'],
    [String.raw`\x{1F600}`, '😀'],
    [String.raw`\x{D800}\x{110000}\x{}`, String.raw`\x{D800}\x{110000}\x{}`],
  ])('%s is %s', (encoded, text) => {
    expect(decodeUnitext(encoded)).toBe(text);
  });
});
