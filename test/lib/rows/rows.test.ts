// Tests that rows of uploaded files are found wherever the octets are cut, and are read as written.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCells, csvLines } from '../../../src/lib/rows/csv-cells.js';
import { splitCsv, splitLines } from '../../../src/lib/rows/csv-rows.js';
import { splitArray } from '../../../src/lib/rows/json-rows.js';
import {
  FIRST_PLACE,
  rowsOf,
  type RawRow,
  type RowPlace,
  type SplitRows,
} from '../../../src/lib/rows/row.js';
import { markedOctets, rowText } from '../../../src/lib/rows/text-octets.js';
import { runs } from '../../support/run-size.js';

const MAX = 100;
const CSV = splitCsv({ delimiters: ',', isMultiline: true, maxBytes: MAX });
const LINES = splitLines(MAX);
const ARRAY = splitArray(MAX);

const brief = ({ line, octets, problem }: RawRow): string =>
  `${line}:${problem === 'too_long' ? '' : Buffer.from(octets).toString()}${problem === null ? '' : `!${problem}`}`;

/** Reads like an import: some rows from the place on, which is stored as JSON in between. */
function inBatches(split: SplitRows, body: Buffer, limit: number, windowBytes: number): string[] {
  const found: string[] = [];
  let place: RowPlace = FIRST_PLACE;
  for (let turn = 0; turn < 10_000; turn++) {
    const window = body.subarray(place.offset, place.offset + windowBytes);
    const isLast = place.offset + window.length >= body.length;
    const result = split(window, place, { isLast, limit });
    found.push(...result.rows.map(brief));
    place = JSON.parse(JSON.stringify(result.place)) as RowPlace;
    if (result.broken !== null) return [...found, result.broken];
    if (isLast && result.rows.length < limit) return found;
  }
  throw new Error('It does not end.');
}

async function* cut(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) {
    await Promise.resolve();
    yield body.subarray(at, at + size);
  }
}

async function streamed(split: SplitRows, body: Buffer, size: number): Promise<string[]> {
  const found: string[] = [];
  try {
    const open = () => ({ split, start: FIRST_PLACE });
    for await (const rows of rowsOf(cut(body, size), open, (problem) => new Error(problem))) {
      found.push(...rows.map(brief));
    }
  } catch (error) {
    found.push((error as Error).message);
  }
  return found;
}

const LONG = 'y'.repeat(300);

describe('rows of CSV', () => {
  it.each<[string, string, string[]]>([
    ['every end of line', 'a\r\nb\rc\n\n \n,,\nd', ['1:a', '2:b', '3:c', '7:d']],
    ['line ends in quotes', 'a,"b\r\nc\rd\n"\nnext', ['1:a,"b\r\nc\rd\n"', '5:next']],
    ['quotes in quotes', '"a""\n",b\nc', ['1:"a""\n",b', '3:c']],
    ['quotes within a cell', 'a "b" c\nd', ['1:a "b" c', '2:d']],
    ['a quote that is not closed', 'a\n"b\nc\nd', ['1:a', '2:"b!quotes', '3:c', '4:d']],
    [
      'an open quote before much text',
      `"b\n${'c\n'.repeat(80)}`,
      ['1:"b!quotes', ...Array.from({ length: 80 }, (_, i) => `${i + 2}:c`)],
    ],
    ['text after a quote', '"a"b\nc', ['1:"a"b!quotes', '2:c']],
    ['blanks around quotes', ' "a" , "b" \nc', ['1: "a" , "b" ', '2:c']],
    ['a row that is too long', `a\n${LONG}\r\nb`, ['1:a', '2:!too_long', '3:b']],
    [
      'the longest row',
      `${'y'.repeat(MAX)}\n${'y'.repeat(MAX + 1)}\n`,
      [`1:${'y'.repeat(MAX)}`, '2:!too_long'],
    ],
    ['an open quote on a long line', `"${LONG}\nb`, ['1:!too_long', '2:b']],
    ['nothing', '', []],
  ])('with %s', async (_name, text, expected) => {
    const body = Buffer.from(text);
    for (const size of [1, 2, 3, 7, 1000]) expect(await streamed(CSV, body, size)).toEqual(expected);
    for (const limit of [1, 2, 100]) expect(inBatches(CSV, body, limit, 2 * MAX)).toEqual(expected);
  });

  it('are the same in batches and in a stream, with any content', async () => {
    const text = fc.array(
      fc.constantFrom('a', '"', '""', ',', '\n', '\r', '\r\n', ' ', 'ü', LONG, '[', ']', '{', '\\'),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(CSV, LINES, ARRAY),
        async (parts, size, limit, split) => {
          const body = Buffer.from(parts.join(''));
          const whole = inBatches(split, body, 1000, 100_000);
          expect(await streamed(split, body, size)).toEqual(whole);
          expect(inBatches(split, body, limit, MAX + 60)).toEqual(whole);
        },
      ),
      runs(500),
    );
  });
});

it('cells are read as written', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', ',', ';', '"', '\n', '\r', '\t', 'é', "'") });
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 }), (rows) => {
      const written = rows.map((row) => ['x', ...row]);
      const body = Buffer.from(csvLines(written));
      const split = splitCsv({ delimiters: ',', isMultiline: true, maxBytes: 10_000 });
      const { rows: found } = split(body, FIRST_PLACE, { isLast: true, limit: Infinity });
      expect(found.map(({ octets }) => csvCells(Buffer.from(octets).toString(), ','))).toEqual(written);
    }),
  );
});

it.each<[string, Buffer, string | null, string]>([
  ['of no known encoding', Buffer.from('aü€'), null, 'aü€'],
  ['of UTF-8 with a mark', Buffer.from('\ufeffaü€'), null, '\ufeffaü€'],
  ['of declared UTF-8', Buffer.from('aü€'), 'utf-8', '\ufeffaü€'],
  ['of declared UTF-8 with a mark', Buffer.from('\ufeffaü€'), 'utf-8', '\ufeffaü€'],
  ['of UTF-16LE', Buffer.from('\ufeffaü€', 'utf16le'), null, '\ufeffaü€'],
  ['of UTF-16BE', Buffer.from('\ufeffaü€', 'utf16le').swap16(), null, '\ufeffaü€'],
  ['of UTF-16LE, declared wrongly', Buffer.from('\ufeffaü€', 'utf16le'), 'utf-8', '\ufeffaü€'],
  ['of declared UTF-16 without a mark', Buffer.from('aü€', 'utf16le'), 'utf-16le', '\ufeffaü€'],
  ['of declared Windows-1252', Buffer.from([0x61, 0xfc, 0x80]), 'windows-1252', '\ufeffaü€'],
  ['of declared Shift_JIS', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'shift_jis', '\ufeff日本'],
  ['of one octet', Buffer.from('a'), null, 'a'],
  ['of nothing', Buffer.from(''), null, ''],
])('a text %s is marked if its encoding is known', async (_name, body, charset, expected) => {
  for (const size of [1, 2, 3, 100]) {
    const pieces: Uint8Array[] = [];
    for await (const piece of markedOctets(cut(body, size), charset)) pieces.push(piece);
    expect(Buffer.concat(pieces).toString(), `in pieces of ${size}`).toBe(expected);
  }
});

it.each<[string, Buffer, boolean, string | null]>([
  ['UTF-8', Buffer.from('Jörg'), false, 'Jörg'],
  ['Windows-1252', Buffer.from([0x4a, 0xf6, 0x72, 0x67, 0x80]), false, 'Jörg€'],
  ['Windows-1252 in a file of UTF-8', Buffer.from([0x4a, 0xf6, 0x72, 0x67]), true, null],
  ['UTF-8 that is cut off', Buffer.from('Jörg Mü').subarray(0, 8), false, null],
])('a row of %s is read or refused', (_name, octets, isKnownUtf8, expected) => {
  expect(rowText(octets, isKnownUtf8)).toBe(expected);
});
