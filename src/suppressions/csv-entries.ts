// Entries of a CSV body (RFC 4180): a header row names the columns, or every line is an address. An entry is a line:
// a quote that is not closed spoils its own line and never swallows those after it.
import { invalidFields, Refusal } from '../contract/refusal.js';
import { csvCells } from '../lib/rows/csv-cells.js';
import { splitCsv } from '../lib/rows/csv-rows.js';
import { rowsOf, type RawRow } from '../lib/rows/row.js';
import { utf8Of } from '../lib/rows/text-octets.js';
import { spreadsheetText } from '../lib/rows/spreadsheet-cell.js';
import { MAX_ENTRY_BYTES, TOO_LONG, type ImportEntries, type ImportEntry } from './import-entry.js';
import { formatOf, OWN_COLUMNS, type RecognizedFormat } from './import-formats.rules.js';
import { plainWord } from './opt-out-words.rules.js';

// no address, reason or id has one of these; spreadsheets choose by the country
const DELIMITERS = ',;\t';
const SPLIT = splitCsv({ delimiters: DELIMITERS, isMultiline: false, maxBytes: MAX_ENTRY_BYTES });

/** A header row, with the place of each column by the plain word of its name. Null without a header row. */
type Columns = { format: RecognizedFormat; places: ReadonlyMap<string, number> } | null;

/** Refused with `validation_error` for a header row that names an unknown column, or one twice. */
export async function* csvEntries(bytes: AsyncIterable<Uint8Array>): ImportEntries {
  let columns: Columns | undefined;
  const broken = (problem: string): Refusal => new Refusal('bad_request', problem);
  for await (const found of rowsOf(utf8Of(bytes), SPLIT, broken)) {
    let rows = found;
    const [first] = rows;
    if (columns === undefined && first) {
      columns = first.problem === null ? readHeader(cellsOf(first)) : null;
      if (columns) rows = rows.slice(1);
    }
    const known = columns ?? null;
    yield rows.flatMap((row) => entryOf(row, known));
  }
}

function cellsOf({ octets }: RawRow): string[] {
  return csvCells(Buffer.from(octets).toString(), DELIMITERS).map((cell) => cell.trim());
}

function readHeader(cells: readonly string[]): Columns {
  const format = formatOf(cells);
  if (!format) return null;
  const words = cells.map(plainWord);
  const twice = cells.find((name, i) => name !== '' && words.indexOf(plainWord(name)) < i);
  if (format.isOwn && twice !== undefined)
    throw invalidFields([{ path: twice.toLowerCase(), message: 'is a column twice' }]);
  if (format.unknown !== null) {
    const message = `is not a known column; these are: ${OWN_COLUMNS.join(', ')}`;
    throw invalidFields([{ path: format.unknown.toLowerCase(), message }]);
  }
  return { format, places: new Map(words.map((word, place) => [word, place])) };
}

function entryOf(row: RawRow, columns: Columns): ImportEntry[] {
  const { line, problem } = row;
  if (problem === 'too_long') return [{ line, email: null, problem: TOO_LONG }];
  if (problem === 'quotes') {
    return [{ line, email: null, problem: 'The quotes of the line are not right.' }];
  }
  const cells = cellsOf(row);
  // spreadsheets leave rows of empty cells behind
  if (cells.every((cell) => cell === '')) return [];
  const cell = (at: number): string => spreadsheetText(cells[at] ?? '');
  if (columns) {
    const { places, format } = columns;
    const { problem: refused, ...entry } = format.read((name) => cell(places.get(name) ?? -1));
    return [refused === null ? { line, ...entry } : { line, email: entry.email, problem: refused }];
  }
  const isAlone = cells.slice(1).every((other) => other === '');
  return isAlone
    ? [{ line, email: cell(0), reason: '', subTenantId: '' }]
    : [{ line, email: cell(0), problem: 'Several columns need a header row that names them.' }];
}
