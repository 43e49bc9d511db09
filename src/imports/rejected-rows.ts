// Translates the report of rejected rows, which is stored in English.
import type { Readable } from 'node:stream';
import { csvCells, csvLines, spreadsheetCell, streamRows, type RowLimits } from '../lib/rows/index.js';
import type { Translate } from '../lib/wording/index.js';

/** A line of the report has a row of the import, whose quotation marks may be doubled, and its problem. */
const LIMITS: RowLimits = { maxBytes: 1024 * 1024, isMultiline: true, wrappers: [] };

/** Yields the report with its problems translated. */
export async function* translatedReport(report: Readable, translate: Translate): AsyncGenerator<string> {
  const broken = (problem: string): Error =>
    new Error(`The report of rejected rows is unreadable: ${problem}`);
  for await (const { rows } of streamRows(
    report,
    { format: 'csv', charset: 'utf-8', limits: LIMITS },
    broken,
  )) {
    const lines = rows.map(({ octets }) => {
      const [line = '', problem = '', row = ''] = csvCells(Buffer.from(octets).toString(), ',');
      return [line, spreadsheetCell(translate(problem)), row];
    });
    yield csvLines(lines);
  }
}
