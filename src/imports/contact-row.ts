// Reads one row of a file as changes of a contact, or says why it is refused.
import { isUtf8 } from 'node:buffer';
import { MAX_CONTACT_NAME, MAX_PHONE } from '../contacts/contact.schema.js';
import type { ContactStatus } from '../contract/names.js';
import { MAX_TAG } from '../contract/schema.js';
import { parseMeasured } from '../lib/json/measured-json.js';
import { addressKey, addressProblem } from '../lib/mime/address.js';
import { csvCells } from '../lib/rows/csv-cells.js';
import { looksLikeStatus, readOptOut, strongestStatus } from './opt-out-fields.rules.js';
import type { RawRow } from '../lib/rows/row.js';
import { spreadsheetText } from '../lib/rows/spreadsheet-cell.js';
import { dataProblem, lineProblem } from '../messages/accept/plain-text.rules.js';
import {
  EXPORTED_ONLY,
  KNOWN_FIELDS,
  MAX_KEY_CHARACTERS,
  type CsvColumns,
  type KnownField,
} from './contact-columns.js';

/** Longest row; metadata alone may have 16 KiB. */
export const MAX_ROW_BYTES = 64 * 1024;
/** Values of the JSON of a row. */
const MAX_VALUES = 20_000;

/** A field that is absent or empty stays as it is. */
export interface WantedContact {
  email: string;
  key: string;
  name?: string;
  phone?: string;
  tags: string[];
  metadata: Record<string, unknown>;
  status?: ContactStatus;
  /** '' for whom the import is made. */
  subTenantId: string;
}

/** Why a row is refused, as a sentence. */
export interface RowProblem {
  problem: string;
}

type Fields = Partial<Record<KnownField, unknown>>;
type Entry = [name: string, value: unknown];

export interface RowReading {
  /** Null for rows of JSON. */
  columns: CsvColumns | null;
  /** Columns and fields that are custom fields although their names look like a status; absent: none. */
  metadataColumns?: readonly string[];
}

export function readContactRow(row: RawRow, reading: RowReading): WantedContact | RowProblem {
  const { columns, metadataColumns = [] } = reading;
  if (row.problem === 'too_long') return { problem: `The row is longer than ${MAX_ROW_BYTES / 1024} KiB.` };
  if (row.problem === 'quotes') return { problem: 'The quotes of the row are not right.' };
  if (!isUtf8(row.octets)) return { problem: 'The row is not UTF-8.' };
  const text = Buffer.from(row.octets.buffer, row.octets.byteOffset, row.octets.length).toString();
  if (text.includes('\0')) return { problem: 'The row contains a NUL character.' };
  return columns ? fromCells(text, columns, metadataColumns) : fromJson(text, metadataColumns);
}

function fromCells(
  text: string,
  { delimiter, columns }: CsvColumns,
  metadataColumns: readonly string[],
): WantedContact | RowProblem {
  const cells = csvCells(text, delimiter);
  if (cells.length > columns.length && cells.slice(columns.length).some((cell) => cell !== '')) {
    return { problem: `The row has ${cells.length} cells, the header row ${columns.length}.` };
  }
  const fields: Fields = {};
  const others: Entry[] = [];
  for (const [i, column] of columns.entries()) {
    const cell = cells[i] ?? '';
    if (column === null || cell === '') continue;
    if ('key' in column) others.push([column.key, spreadsheetText(cell)]);
    else fields[column.field] = spreadsheetText(cell);
  }
  if (typeof fields.metadata === 'string') {
    const read = parseMeasured(fields.metadata, MAX_VALUES);
    if ('problem' in read) return { problem: `metadata ${read.problem}.` };
    const { value } = read;
    if (!isObject(value)) return { problem: 'metadata must be a JSON object.' };
    fields.metadata = value;
  }
  return wantedOf(fields, others, metadataColumns);
}

function fromJson(text: string, metadataColumns: readonly string[]): WantedContact | RowProblem {
  const read = parseMeasured(text, MAX_VALUES);
  if ('problem' in read) return { problem: `The row ${read.problem}.` };
  const { value } = read;
  if (typeof value === 'string') return wantedOf({ email: value }, [], []);
  if (!isObject(value)) return { problem: 'It must be an object with an email.' };
  const fields: Fields = {};
  const others: Entry[] = [];
  for (const [name, given] of Object.entries(value)) {
    const field = KNOWN_FIELDS.find((known) => known === name);
    if (given === null || EXPORTED_ONLY.has(name)) continue;
    if (field) fields[field] = given;
    else {
      if (looksLikeStatus(name) && !metadataColumns.includes(name)) return { problem: statusLike(name) };
      others.push([name, given]);
    }
  }
  // Escapes may spell what the text itself did not contain.
  return text.includes('\\u0000')
    ? { problem: 'The row contains a NUL character.' }
    : wantedOf(fields, others, metadataColumns);
}

/** `others` are the fields of the row that are none of `fields`. */
function wantedOf(
  fields: Fields,
  others: readonly Entry[],
  metadataColumns: readonly string[],
): WantedContact | RowProblem {
  for (const name of KNOWN_FIELDS) {
    const value = fields[name];
    if (name === 'metadata' || name === 'tags' || name === 'status' || value === undefined) continue;
    if (typeof value !== 'string') return { problem: `${name} must be a string.` };
  }
  const text = (name: KnownField): string => (fields[name] as string | undefined) ?? ''; // looked at above
  const email = text('email').trim();
  const problem = email === '' ? 'The address is missing.' : addressProblem(email, { utf8Local: true });
  if (problem !== null) return { problem };
  const tags = tagsOf(fields.tags);
  if (tags === null) return { problem: 'tags must be an array of strings.' };
  const longTag = tags.find((tag) => tag.length > MAX_TAG);
  if (longTag !== undefined) return { problem: `A tag is longer than ${MAX_TAG} characters.` };
  if (others.some(([key]) => key.length > MAX_KEY_CHARACTERS)) {
    return { problem: `A field's name is longer than ${MAX_KEY_CHARACTERS} characters.` };
  }
  if (fields.metadata !== undefined && !isObject(fields.metadata)) {
    return { problem: 'metadata must be an object.' };
  }
  const told = optOutsOf(fields.status, others, metadataColumns);
  if ('problem' in told) return told;
  const { status } = told;
  const value = Object.fromEntries([...Object.entries(fields.metadata ?? {}), ...told.kept]);
  // As the API asks: what is nested deeper could not be written down, and what has no UTF-8 form not be sent.
  const broken = dataProblem(value);
  if (broken !== null) return { problem: `metadata ${broken}.` };
  const name = text('name') || `${text('first_name').trim()} ${text('last_name').trim()}`.trim();
  if (name.length > MAX_CONTACT_NAME)
    return { problem: `The name is longer than ${MAX_CONTACT_NAME} characters.` };
  const phone = text('phone');
  if (phone.length > MAX_PHONE) return { problem: `The phone is longer than ${MAX_PHONE} characters.` };
  const unfit = unfitLine([['name', name], ['phone', phone], ...tags.map((tag): Line => ['a tag', tag])]);
  if (unfit !== null) return { problem: unfit };
  return {
    email,
    key: addressKey(email),
    ...(name === '' ? {} : { name: name.toWellFormed() }),
    ...(phone === '' ? {} : { phone: phone.toWellFormed() }),
    tags: [...new Set(tags.map((tag) => tag.toWellFormed()))],
    metadata: value,
    ...(status === null ? {} : { status }),
    subTenantId: text('sub_tenant_id').trim(),
  };
}

/** The status that the row asks for, and the entries that remain as custom fields. */
function optOutsOf(
  status: unknown,
  others: readonly Entry[],
  metadataColumns: readonly string[],
): { status: ContactStatus | null; kept: Entry[] } | RowProblem {
  const statuses: ContactStatus[] = [];
  const kept: Entry[] = [];
  const all: Entry[] = status === undefined ? [...others] : [['status', status], ...others];
  for (const entry of all) {
    const [name, value] = entry;
    const told = metadataColumns.includes(name) ? null : readOptOut(name, value);
    if (told === null || ('isKept' in told && told.isKept)) kept.push(entry);
    if (told === null) continue;
    if ('problem' in told) return told;
    if (told.status !== null) statuses.push(told.status);
  }
  return { status: strongestStatus(statuses), kept };
}

/** Why a field is not taken as a custom field. */
export function statusLike(name: string): string {
  return `${name.slice(0, MAX_KEY_CHARACTERS)} looks like a status. To import it as a custom field, name it in metadata_columns.`;
}

type Line = [what: string, text: string];

/** The problem of the first one that no header can hold; null when all are fine. */
function unfitLine(lines: readonly Line[]): string | null {
  for (const [what, text] of lines) {
    const problem = lineProblem(text);
    if (problem !== null) return `${what} ${problem}.`;
  }
  return null;
}

/** Null when it is neither text nor an array of it. */
function tagsOf(value: unknown): string[] | null {
  if (value === undefined) return [];
  if (typeof value === 'string') return csvCells(value, ',;').filter((tag) => tag !== '');
  if (!Array.isArray(value) || value.some((tag) => typeof tag !== 'string')) return null;
  return (value as string[]).filter((tag) => tag !== '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
