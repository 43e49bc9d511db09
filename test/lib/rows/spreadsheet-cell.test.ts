// Tests cells that a spreadsheet would execute.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spreadsheetCell, spreadsheetText } from '../../../src/lib/rows/spreadsheet-cell.js';

it.each([
  ['=cmd|x', "'=cmd|x"],
  ['+tag@x.example', "'+tag@x.example"],
  ['-a@x.example', "'-a@x.example"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r'=1"],
  ['＝1', "'＝1"],
  ["'=1", "''=1"],
  [';=1', ";'=1"],
  ['a;=cmd|x', "a;'=cmd|x"],
  ['a;"=cmd|x"', `a;'"=cmd|x"`],
  ["a;'=1", "a;''=1"],
  ['a\n=1', "a\n'=1"],
  ['a;b;c', 'a;b;c'],
  ['one\r\ntwo', 'one\r\ntwo'],
  ["o'neil@x.example", "o'neil@x.example"],
  ["'ann@x.example", "'ann@x.example"],
  ['ann+news@x.example', 'ann+news@x.example'],
  ['', ''],
])('%j is written as %j', (text, cell) => {
  expect(spreadsheetCell(text)).toBe(cell);
});

it('never writes a cell that begins like a formula, and reads its output back', () => {
  const character = fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', ';', '"', 'a', '＝');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: character })), (text) => {
      expect(spreadsheetCell(text)).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
      expect(spreadsheetCell(text)).not.toMatch(/[;\r\n]"*[=+\-@＝＋－＠]/);
      expect(spreadsheetText(spreadsheetCell(text))).toBe(text);
    }),
  );
});
