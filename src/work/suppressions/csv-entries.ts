// Entries of a CSV body (RFC 4180): a header row names the columns, or every line is an address. An entry is a line:
// a quote that is not closed spoils its own line and never swallows those after it.
import { parse } from 'csv-parse/sync';
import { invalidFields } from '../../contract/refusal.js';
import { spreadsheetText } from '../../mail/spreadsheet-cell.js';
import { linesOf } from './body-text.js';
import type { Line } from './body-text.js';
import { EXPORTED_ONLY, TOO_LONG } from './import-entry.js';
import type { ImportEntries, ImportEntry } from './import-entry.js';

const OPTIONS = {
  // no address, reason or id has one of these; spreadsheets choose by the country
  delimiter: [',', ';', '\t'],
  record_delimiter: '\n',
  relax_column_count: true,
  trim: true,
};
const KNOWN = ['email', 'reason', 'sub_tenant_id'] as const;

/** Where each known column stands; -1 where it does not. Null without a header row. */
type Columns = Record<(typeof KNOWN)[number], number> | null;

interface CsvLine {
  number: number;
  /** Null when it cannot be read. */
  cells: string[] | null;
  problem: string;
}

/** Refused with `validation_error` for a header row that names an unknown column, or one twice. */
export async function* csvEntries(bytes: AsyncIterable<Uint8Array>): ImportEntries {
  let columns: Columns | undefined;
  for await (const lines of linesOf(bytes)) {
    let records = recordsOf(lines);
    const [first] = records;
    if (columns === undefined && first) {
      columns = first.cells ? readHeader(first.cells) : null;
      if (columns) records = records.slice(1);
    }
    const known = columns ?? null;
    yield records.flatMap((record) => entryOf(record, known));
  }
}

function recordsOf(lines: readonly Line[]): CsvLine[] {
  const readable = lines.flatMap(({ text }) => text ?? []);
  const together = parsed(readable.join('\n'));
  if (together?.length === lines.length) {
    return lines.map(({ number }, i) => ({ number, cells: together[i] ?? [], problem: '' }));
  }
  // one of them is broken
  return lines.map(({ number, text }) => {
    if (text === null) return { number, cells: null, problem: TOO_LONG };
    const [cells = null] = parsed(text) ?? [];
    return { number, cells, problem: cells ? '' : 'The quotes of the line are not right.' };
  });
}

function parsed(text: string): string[][] | null {
  try {
    return parse(text, OPTIONS);
  } catch {
    return null; // the only thing that can be wrong with text and these options is its quotes
  }
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

function entryOf({ number: line, cells, problem }: CsvLine, columns: Columns): ImportEntry[] {
  if (!cells) return [{ line, email: null, problem }];
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
