// Entries of a CSV body (RFC 4180): a header row names the columns, or every line is an address. An entry is a line:
// a quote that is not closed spoils its own line and never swallows those after it.
import { invalidFields, Refusal } from '../contract/refusal.js';
import { csvCells } from '../lib/rows/csv-cells.js';
import { splitCsv } from '../lib/rows/csv-rows.js';
import { rowsOf, type RawRow } from '../lib/rows/row.js';
import { utf8Of } from '../lib/rows/text-octets.js';
import { spreadsheetText } from '../lib/rows/spreadsheet-cell.js';
import {
  EXPORTED_ONLY,
  MAX_ENTRY_BYTES,
  TOO_LONG,
  type ImportEntries,
  type ImportEntry,
} from './import-entry.js';

// no address, reason or id has one of these; spreadsheets choose by the country
const DELIMITERS = ',;\t';
const SPLIT = splitCsv({ delimiters: DELIMITERS, isMultiline: false, maxBytes: MAX_ENTRY_BYTES });
const KNOWN = ['email', 'reason', 'sub_tenant_id'] as const;

/** Where each known column stands; -1 where it does not. Null without a header row. */
type Columns = Record<(typeof KNOWN)[number], number> | null;

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
  const names = cells.map((cell) => cell.toLowerCase());
  if (!names.includes('email')) return null;
  const problems = names.flatMap((name, i) => {
    if (names.indexOf(name) < i && name !== '') return [{ path: name, message: 'is a column twice' }];
    const isKnown = name === '' || EXPORTED_ONLY.has(name) || KNOWN.some((known) => known === name);
    return isKnown ? [] : [{ path: name, message: `is not a known column; these are: ${KNOWN.join(', ')}` }];
  });
  if (problems.length > 0) throw invalidFields(problems.slice(0, 20));
  return {
    email: names.indexOf('email'),
    reason: names.indexOf('reason'),
    sub_tenant_id: names.indexOf('sub_tenant_id'),
  };
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
    return [
      {
        line,
        email: cell(columns.email),
        reason: cell(columns.reason),
        subTenantId: cell(columns.sub_tenant_id),
      },
    ];
  }
  const isAlone = cells.slice(1).every((other) => other === '');
  return isAlone
    ? [{ line, email: cell(0), reason: '', subTenantId: '' }]
    : [{ line, email: cell(0), problem: 'Several columns need a header row that names them.' }];
}
