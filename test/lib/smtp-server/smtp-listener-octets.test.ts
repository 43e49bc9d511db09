// Tests the listener's parts that read every octet: the end of a message, its content, and its Received
// fields.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDotReader } from '../../../src/lib/smtp-server/connection.js';
import { countReceivedFields, createOctetCheck } from '../../../src/lib/smtp-server/octet-check.js';
import { dotStuff } from '../../../src/lib/smtp/index.js';
import { runs } from '../../support/run-size.js';

/** Generates text that mostly consists of the relevant octets. */
const octets = fc
  .array(fc.constantFrom('\r\n', '\r\n.', '\r\n.\r\n', '\r', '\n', '.', 'x', 'MAIL', '\0'), { maxLength: 30 })
  .map((parts) => parts.join(''));
const cuts = fc.array(fc.nat({ max: 8 }), { maxLength: 60 });

function divide(text: string, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(Buffer.from(text.slice(at, at + length), 'latin1'));
    at += length;
  }
  return [...pieces, Buffer.from(text.slice(at), 'latin1')];
}

/** The content, and the octets after the end; null if it did not end. */
function read(pieces: Buffer[]): { content: string; rest: string | null } {
  const reader = createDotReader();
  let content = '';
  for (const [index, piece] of pieces.entries()) {
    const got = reader.read(piece);
    content += got.content.toString('latin1');
    if (got.rest === null) continue;
    return { content, rest: Buffer.concat([got.rest, ...pieces.slice(index + 1)]).toString('latin1') };
  }
  return { content, rest: null };
}

/** Implements RFC 5321 section 4.5.2, regardless of cost and division. */
function specified(text: string): { content: string; rest: string | null } {
  const end = `\r\n${text}`.indexOf('\r\n.\r\n');
  const body = end === -1 ? text : text.slice(0, end);
  const content = body
    .split('\r\n')
    .map((line) => (line.startsWith('.') ? line.slice(1) : line))
    .join('\r\n');
  return { content, rest: end === -1 ? null : text.slice(end + 3) };
}

describe('the end of a message', () => {
  it('is found according to RFC 5321, however the octets are split', () => {
    fc.assert(
      fc.property(octets, cuts, (text, lengths) => {
        const whole = `${text}\r\n.\r\nQUIT\r\n`;
        expect(read(divide(whole, lengths))).toEqual(specified(whole));
      }),
      runs(2_000),
    );
  });

  it('is never found too early', () => {
    fc.assert(
      fc.property(octets, cuts, (text, lengths) => {
        fc.pre(specified(text).rest === null);
        expect(read(divide(text, lengths)).rest).toBeNull();
      }),
      runs(2_000),
    );
  });

  it("restores text that Mailkeel's client dot-stuffed", () => {
    const lines = fc.array(fc.constantFrom('', '.', '..', '.x', 'x', 'x.'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, cuts, (texts, lengths) => {
        const message = texts.map((line) => `${line}\r\n`).join('');
        fc.pre(message !== '');
        const stuffed = Buffer.concat(dotStuff([Buffer.from(message)])).toString();
        expect(read(divide(`${stuffed}.\r\n`, lengths))).toEqual({ content: message, rest: '' });
      }),
    );
  });
});

describe('the octets of a message', () => {
  it.each([
    ['', null],
    ['a\r\nb\r\n', null],
    ['\r\n\r\n', null],
    ['\xe4\xff\t\x0b\x0c\r\n', null],
    ['a\nb\r\n', 'bare line end'],
    ['\n', 'bare line end'],
    ['a\rb\r\n', 'bare line end'],
    ['a\r\r\n', 'bare line end'],
    ['a\r\n\n', 'bare line end'],
    ['a\0\r\n', 'NUL'],
    ['a\nb\0\r\n', 'NUL'],
    ['a\0b\n\r\n', 'NUL'],
  ])('%j are invalid: %s', (text, fault) => {
    for (let size = 1; size <= text.length + 1; size += 1) {
      const check = createOctetCheck();
      const pieces = divide(text, Array<number>(text.length).fill(size));
      expect(pieces.map((piece) => check.faultIn(piece)).at(-1)).toBe(fault);
    }
  });
});

describe('Received fields', () => {
  it.each([
    ['', 0],
    ['Subject: x\r\n\r\nReceived: body\r\n', 0],
    ['Received: a\r\n\tby b\r\nRECEIVED: c\r\nReceived-SPF: pass\r\nX-Received: no\r\n\r\nx', 2],
    ['Received: no body\r\n', 1],
    [' Received: folded\r\n\r\n', 0],
  ])('in %j: %i', (text, count) => {
    expect(countReceivedFields(Buffer.from(text))).toBe(count);
  });
});
