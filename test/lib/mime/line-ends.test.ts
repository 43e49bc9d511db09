// Tests that lines of programs with other line ends come out as intended, and that nothing else changes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mendLineEnds } from '../../../src/lib/mime/line-ends.js';
import { runs, sized } from '../../support/run-size.js';

const mend = (text: string): string =>
  mendLineEnds(Buffer.from(text, 'latin1'), { afterSmtp: true }).toString('latin1');

describe('line ends', () => {
  it.each([
    ['', ''],
    ['a\r\nb\r\n', 'a\r\nb\r\n'],
    ['a\nb\n\n', 'a\r\nb\r\n\r\n'],
    ['a\rb\r\r', 'a\r\nb\r\n\r\n'],
    ['a\r\r\nb\r\r\n', 'a\r\nb\r\n'],
    ['a\n\r\nb\r\n\n', 'a\r\n\r\nb\r\n\r\n'],
    ['caf\xe9\n\xff', 'caf\xe9\r\n\xff'],
  ])('%j become %j', (text, mended) => {
    expect(mend(text)).toBe(mended);
  });

  it.each([
    ['a\n..b\n', 'a\r\n.b\r\n'],
    ['a\n...b\n', 'a\r\n..b\r\n'],
    ['a\n..\nb\n', 'a\r\n.\r\nb\r\n'],
    // A client that stuffs no dots.
    ['a\n.b\n.\nc\n', 'a\r\n.b\r\n.\r\nc\r\n'],
    // The reader of the data removes its dots.
    ['a\r\n..b\r\n', 'a\r\n..b\r\n'],
  ])('undo dot-stuffing by LF alone: %j is %j', (text, mended) => {
    expect(mend(text)).toBe(mended);
  });

  it('are only CRLF afterwards, and normalizing again changes nothing', () => {
    const octets = fc
      .array(fc.constantFrom('\r\n', '\r', '\n', '.', '..', 'x', '\xe9'), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(octets, (text) => {
        const mended = mend(text);
        expect(mended).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
        expect(mend(mended)).toBe(mended);
        expect(mended.replace(/[\r\n.]/g, '')).toBe(text.replace(/[\r\n.]/g, ''));
      }),
      runs(1_000),
    );
  });

  it('are normalized in linear time', () => {
    const times = sized({ small: 500_000, full: 2_000_000 });
    for (const text of ['\n', '\r', '\n..', '\r\r\r\n']) mend(text.repeat(times));
  }, 5_000);
});
