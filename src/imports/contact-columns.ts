// The header row of a file of contacts: which column is what, and what separates them.
import { invalidFields } from '../contract/refusal.js';
import { addressProblem } from '../lib/mime/address.js';
import { csvCells } from '../lib/rows/csv-cells.js';
import { spreadsheetText } from '../lib/rows/spreadsheet-cell.js';

export const KNOWN_FIELDS = [
  'email',
  'name',
  'first_name',
  'last_name',
  'phone',
  'tags',
  'status',
  'metadata',
  'sub_tenant_id',
] as const;
export type KnownField = (typeof KNOWN_FIELDS)[number];

/** Columns of an export that an import ignores. */
export const EXPORTED_ONLY: ReadonlySet<string> = new Set([
  'id',
  'object',
  'consents',
  'created_at',
  'updated_at',
]);

/** A map, since a column may be named like a member of every object. */
const OTHER_SPELLINGS: ReadonlyMap<string, KnownField> = new Map([
  ['e_mail', 'email'],
  ['email_address', 'email'],
]);
const DELIMITERS = [',', ';', '\t'];
/** Characters that may separate the cells of a header row. */
export const ANY_DELIMITER = DELIMITERS.join('');
const MAX_COLUMNS = 200;
export const MAX_KEY_CHARACTERS = 100;

export interface CsvColumns {
  delimiter: string;
  /** For each column its field, the key of metadata that it is, or null when it is passed over. */
  columns: ({ field: KnownField } | { key: string } | null)[];
}

/**
 * Columns by the first row; `hasHeader` is false when that is an address itself. Refused with `validation_error` when
 * the columns cannot be recognised.
 */
export function readHeader(row: string): CsvColumns & { hasHeader: boolean } {
  const delimiter = delimiterOf(row);
  const names = csvCells(row, delimiter).map((cell) => spreadsheetText(cell).trim());
  const columns = names.map(columnOf);
  if (!columns.some((column) => column !== null && 'field' in column && column.field === 'email')) {
    if (names.length === 1 && addressProblem(names[0] ?? '') === null) {
      return { delimiter, columns: [{ field: 'email' }], hasHeader: false };
    }
    throw problem('The first row must name the columns, and one of them must be email.');
  }
  if (columns.length > MAX_COLUMNS) throw problem(`The header row has more than ${MAX_COLUMNS} columns.`);
  const labels = columns.map((column) => (column === null ? '' : JSON.stringify(column)));
  const twice = names.find((_, i) => labels[i] !== '' && labels.indexOf(labels[i] ?? '') < i);
  if (twice !== undefined) throw problem(`The column ${twice.slice(0, MAX_KEY_CHARACTERS)} is there twice.`);
  const long = names.find((name) => name.length > MAX_KEY_CHARACTERS);
  if (long !== undefined) {
    throw problem(`A column's name is longer than ${MAX_KEY_CHARACTERS} characters.`);
  }
  return { delimiter, columns, hasHeader: true };
}

function problem(message: string): Error {
  return invalidFields([{ path: 'body', message }]);
}

function columnOf(name: string): CsvColumns['columns'][number] {
  const plain = name.toLowerCase().replace(/[\s-]+/g, '_');
  if (plain === '' || EXPORTED_ONLY.has(plain)) return null;
  const field = KNOWN_FIELDS.find((known) => known === plain) ?? OTHER_SPELLINGS.get(plain);
  return field === undefined ? { key: name } : { field };
}

/** The one that makes most cells of the header row; spreadsheets choose by the country. */
function delimiterOf(row: string): string {
  const counts = DELIMITERS.map((delimiter) => csvCells(row, delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}
