import { describe, expect, it } from 'vitest';
import { shownLine } from '../../../src/lib/mime/shown-line.js';

describe('a displayed line', () => {
  it.each([
    ['a\r\n\tb\u2028c', 'a b c'],
    [' \x00a\x07\x1b[31m\x85b ', 'a[31mb'],
    ['a\u202egnp.exe', 'agnp.exe'],
    ['a\ud800b', 'a\ufffdb'],
    ['', ''],
  ])('of %j is %j', (text, shown) => {
    expect(shownLine(text)).toBe(shown);
  });

  it('is truncated at its limit, without splitting a character', () => {
    expect(shownLine('abcdef', 3)).toBe('abc');
    expect(shownLine('ab😀', 3)).toBe('ab');
    expect(shownLine('ab😀', 4)).toBe('ab😀');
  });
});
