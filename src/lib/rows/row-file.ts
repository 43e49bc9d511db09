// Reads an uploaded file of rows, CSV or JSON: detects format, encoding and delimiter at its beginning, then
// reads each row on its own. Imports of contacts and suppressions, and their preview, use it.
import { parseMeasured } from '../json/index.js';
import { isEmailName } from './column-names.js';
import { csvCells } from './csv-cells.js';
import { splitCsv, splitLines } from './csv-rows.js';
import { splitArray } from './json-rows.js';
import { FIRST_PLACE, rowsOf, type RawRow, type RowPlace, type SplitRows } from './row.js';
import { spreadsheetText } from './spreadsheet-cell.js';
import { markedEncoding, markedOctets, rowText, UTF8_MARK_BYTES } from './text-octets.js';

export type RowFormat = 'csv' | 'ndjson' | 'json';

/** Plain JSON, so that it can be stored. */
export interface RowFile {
  format: RowFormat;
  /** Separates the cells of CSV. */
  delimiter: string;
  /** False if the encoding of the file is unknown. */
  isUtf8: boolean;
  /** The JSON array is the first field of an object, and everything after the array is ignored. */
  isWrapped: boolean;
}

export interface RowLimits {
  /** Maximum size of a row. */
  maxBytes: number;
  /** Whether quoted cells may contain line ends. */
  isMultiline: boolean;
  /** Names of an object's first field that may contain the rows, as in vendors' API responses. */
  wrappers: readonly string[];
}

interface OpenedFile {
  file: RowFile;
  /** The place of the first row, which may be a header. */
  start: RowPlace;
}

/** The cells of a row, its JSON value, or a sentence that explains its refusal. */
export type RowContent = { cells: string[] } | { value: unknown } | { problem: string };

const DELIMITERS = [',', ';', '\t', '|'];
/** A first line that sets the delimiter for Excel. */
const DELIMITER_LINE = /^"?sep=([,;|\t])"?$/i;
const WORKBOOKS = [Buffer.from('PK\x03\x04'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];
const NOT_A_WORKBOOK = 'The file is an Excel workbook. Save it as CSV and send the CSV file.';
/** Values in the JSON of a row. */
const MAX_VALUES = 20_000;
/** Maximum length of an object's beginning before the rows. */
const MAX_WRAPPING = 256;

/**
 * Examines the beginning of a file, which must have room for one row of maximum size unless `isLast`. If
 * `format` is `null`, the first character decides.
 */
export function openRowFile(
  head: Uint8Array,
  { format: given, isLast, limits }: { format: RowFormat | null; isLast: boolean; limits: RowLimits },
): OpenedFile | { problem: string } {
  if (WORKBOOKS.some((start) => start.equals(head.subarray(0, start.length))))
    return { problem: NOT_A_WORKBOOK };
  const isUtf8 = markedEncoding(head) === 'utf-8';
  const offset = isUtf8 ? UTF8_MARK_BYTES : 0;
  const beginning = Buffer.from(head.subarray(offset, offset + MAX_WRAPPING)).toString('latin1');
  const wrapping = wrappingLength(beginning, limits.wrappers);
  const format = given ?? detectFormat(beginning, wrapping > 0);
  const isWrapped = format === 'json' && wrapping > 0;
  const file: RowFile = { format, delimiter: ',', isUtf8, isWrapped };
  const start = { ...FIRST_PLACE, offset: offset + (isWrapped ? wrapping : 0) };
  if (format !== 'csv') return { file, start };
  const split = splitRows({ ...file, delimiter: DELIMITERS.join('') }, limits);
  const { rows, place } = split(head.subarray(offset), start, { isLast, limit: 1 });
  const [first] = rows;
  const text = first?.problem === null ? rowText(first.octets, isUtf8) : null;
  if (text === null) return { file, start };
  const told = DELIMITER_LINE.exec(text)?.[1];
  if (told !== undefined) return { file: { ...file, delimiter: told }, start: place };
  return { file: { ...file, delimiter: detectDelimiter(text) }, start };
}

function wrappingLength(beginning: string, wrappers: readonly string[]): number {
  const found = /^\s*\{\s*"([A-Za-z]+)"\s*:\s*(?=\[)/.exec(beginning);
  return found !== null && wrappers.includes(found[1] ?? '') ? found[0].length : 0;
}

function detectFormat(beginning: string, isWrapped: boolean): RowFormat {
  const first = beginning.trimStart().charAt(0);
  if (first === '[' || isWrapped) return 'json';
  return first === '{' ? 'ndjson' : 'csv';
}

/**
 * Chooses the delimiter that produces a cell naming the addresses, and of several the one with most cells.
 */
function detectDelimiter(row: string): string {
  const rated = DELIMITERS.map((delimiter) => {
    const cells = csvCells(row, delimiter);
    return { delimiter, cells: cells.length, hasEmail: cells.some(isEmailName) };
  });
  const [best] = rated.toSorted((a, b) => Number(b.hasEmail) - Number(a.hasEmail) || b.cells - a.cells);
  return best?.delimiter ?? ',';
}

export function splitRows(
  { format, delimiter, isWrapped }: RowFile,
  { maxBytes, isMultiline }: RowLimits,
): SplitRows {
  switch (format) {
    case 'csv':
      return splitCsv({ delimiters: delimiter, isMultiline, maxBytes });
    case 'ndjson':
      return splitLines(maxBytes);
    case 'json':
      return splitArray(maxBytes, () => isWrapped);
  }
}

export function readRow(row: RawRow, file: RowFile, { maxBytes }: RowLimits): RowContent {
  if (row.problem === 'too_long') return { problem: `The row is longer than ${maxBytes / 1024} KiB.` };
  if (row.problem === 'quotes') return { problem: 'The quotation marks of the row do not match.' };
  const text = rowText(row.octets, file.isUtf8);
  if (text === null) return { problem: 'The row is not UTF-8.' };
  if (text.includes('\0')) return { problem: 'The row contains a NUL character.' };
  if (file.format === 'csv') return { cells: csvCells(text, file.delimiter).map(spreadsheetText) };
  const read = parseMeasured(text, MAX_VALUES);
  if ('problem' in read) return { problem: `The row ${read.problem}.` };
  // Escapes may spell a character that the text itself does not contain.
  return text.includes('\\u0000') ? { problem: 'The row contains a NUL character.' } : read;
}

/**
 * Yields the rows of a file as it arrives. `charset` is the standard name that the client declared, or
 * `null`. Throws `broken(sentence)` if reading cannot continue.
 */
export async function* streamRows(
  pieces: AsyncIterable<Uint8Array>,
  { format, charset, limits }: { format: RowFormat | null; charset: string | null; limits: RowLimits },
  broken: (problem: string) => Error,
): AsyncGenerator<{ file: RowFile; rows: RawRow[] }> {
  let opened: OpenedFile | null = null;
  const open = (head: Uint8Array, isLast: boolean): { split: SplitRows; start: RowPlace } => {
    const found = openRowFile(head, { format, isLast, limits });
    if ('problem' in found) throw broken(found.problem);
    opened = found;
    return { split: splitRows(found.file, limits), start: found.start };
  };
  for await (const rows of rowsOf(markedOctets(pieces, charset), open, broken)) {
    const { file } = opened as unknown as OpenedFile; // set before the first rows
    yield { file, rows };
  }
}
