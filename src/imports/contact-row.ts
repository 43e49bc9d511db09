// Converts one row of a file to changes of a contact, or returns why the row is refused.
import { MAX_CONTACT_NAME, MAX_PHONE } from '../contacts/contact.schema.js';
import type { ContactStatus } from '../contract/names.js';
import { MAX_TAG } from '../contract/schema.js';
import { parseMeasured } from '../lib/json/index.js';
import { addressKey, addressProblem, parseMailbox } from '../lib/mime/index.js';
import { csvCells, type RawRow, readRow, type RowFile, type RowLimits } from '../lib/rows/index.js';
import { readOptOut, strongestStatus } from './opt-out-fields.rules.js';
import { dataProblem, lineProblem } from '../contract/plain-text.js';
import {
  mapColumns,
  MAX_KEY_CHARACTERS,
  statusWarning,
  type Column,
  type ColumnMapping,
  type KnownField,
} from './contact-columns.js';

/** Metadata alone may have 16 KiB. */
export const CONTACT_ROW_LIMITS: RowLimits = { maxBytes: 64 * 1024, isMultiline: true, wrappers: [] };
/** Values of a JSON cell. */
const MAX_VALUES = 20_000;
/** Google separates several values of a cell with this. */
const GOOGLE_SEPARATOR = ' ::: ';

/** An absent or empty field is not changed. */
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

export interface RowReading {
  file: RowFile;
  mapping: ColumnMapping;
  /** Null for rows of JSON, each of which names its fields. */
  columns: readonly Column[] | null;
}

/** Texts of the fields that are text. */
type Texts = Partial<Record<Exclude<KnownField, 'tags' | 'status' | 'metadata'>, string>>;
type Entry = [name: string, value: unknown];

/** The values of a row by their target. */
interface Sorted {
  texts: Texts;
  tags: string[];
  metadata: Entry[];
  /** Fields that say whether the contact may be written to: names and values. */
  statuses: Entry[];
  /** Fields by their own names, some of which may show that the contact opted out. */
  others: Entry[];
}

export function readContactRow(row: RawRow, reading: RowReading): WantedContact | RowProblem {
  const content = readRow(row, reading.file, CONTACT_ROW_LIMITS);
  if ('problem' in content) return content;
  return 'cells' in content
    ? fromCells(content.cells, reading.columns ?? [])
    : readContactObject(content.value, reading.mapping);
}

function fromCells(cells: readonly string[], columns: readonly Column[]): WantedContact | RowProblem {
  if (cells.length > columns.length && cells.slice(columns.length).some((cell) => cell !== '')) {
    return { problem: `The row has ${cells.length} cells, but the header row has ${columns.length}.` };
  }
  // Empty cells change nothing.
  return wantedOf(columns.map((column, i) => ({ column, value: cells[i] === '' ? undefined : cells[i] })));
}

/** Reads a contact from a JSON value: an object with its fields, or the address alone. */
export function readContactObject(value: unknown, mapping: ColumnMapping): WantedContact | RowProblem {
  if (typeof value === 'string') return wantedOf([{ column: { field: 'email' }, value }]);
  if (!isObject(value)) return { problem: 'The row must be an object with an email field.' };
  const names = Object.keys(value);
  const columns = fieldsOf(names, mapping);
  const warning = columns.map(statusWarning).find((one) => one !== null);
  if (warning) return { problem: warning };
  return wantedOf(columns.map((column, i) => ({ column, value: value[names[i] ?? ''] ?? undefined })));
}

/** The fields of the last row, per mapping (which each batch reads again), because most rows of a file have the same fields. */
const lastFields = new WeakMap<ColumnMapping, { names: string; columns: Column[] }>();

function fieldsOf(names: readonly string[], mapping: ColumnMapping): Column[] {
  const joined = names.join('\0');
  const last = lastFields.get(mapping);
  if (last?.names === joined) return last.columns;
  const columns = mapColumns(names, mapping);
  lastFields.set(mapping, { names: joined, columns });
  return columns;
}

interface Value {
  column: Column;
  /** Undefined if the row has none. */
  value: unknown;
}

function wantedOf(values: readonly Value[]): WantedContact | RowProblem {
  const sorted: Sorted = { texts: {}, tags: [], metadata: [], statuses: [], others: [] };
  for (const { column, value } of values) {
    if (column === null || value === undefined) continue;
    const problem = 'key' in column ? sortKey(sorted, column, value) : sortField(sorted, column, value);
    if (problem !== null) return { problem };
  }
  return contactOf(sorted);
}

function sortKey(sorted: Sorted, { key, isMapped }: { key: string; isMapped?: true }, value: unknown): null {
  (isMapped ? sorted.metadata : sorted.others).push([key, value]);
  return null;
}

/** Returns why the value is refused, or null. */
function sortField(
  sorted: Sorted,
  { field, orKey }: { field: KnownField; orKey?: string },
  value: unknown,
): string | null {
  if (field === 'status') {
    sorted.statuses.push([field, value]);
  } else if (field === 'tags') {
    const tags = tagsOf(value);
    if (tags === null) return 'tags must be an array of strings.';
    sorted.tags.push(...tags);
  } else if (field === 'metadata') {
    const read = objectOf(value);
    if ('object' in read) sorted.metadata.push(...Object.entries(read.object));
    else if (orKey === undefined) return read.problem;
    else sorted.others.push([orKey, value]);
  } else {
    if (typeof value !== 'string') return `${field} must be a string.`;
    sorted.texts[field] = value;
  }
  return null;
}

function objectOf(value: unknown): { object: Record<string, unknown> } | RowProblem {
  if (typeof value !== 'string') {
    return isObject(value) ? { object: value } : { problem: 'metadata must be an object.' };
  }
  const read = parseMeasured(value, MAX_VALUES);
  if ('problem' in read) return { problem: `metadata ${read.problem}.` };
  return isObject(read.value) ? { object: read.value } : { problem: 'metadata must be a JSON object.' };
}

function contactOf({ texts, tags, metadata, statuses, others }: Sorted): WantedContact | RowProblem {
  const [address = ''] = (texts.email ?? '').split(GOOGLE_SEPARATOR);
  const mailbox = parseMailbox(address);
  const email = mailbox?.email ?? address.trim();
  const problem = email === '' ? 'The address is missing.' : addressProblem(email, { utf8Local: true });
  if (problem !== null) return { problem };
  const longTag = tags.find((tag) => tag.length > MAX_TAG);
  if (longTag !== undefined) return { problem: `A tag is longer than ${MAX_TAG} characters.` };
  if (others.some(([key]) => key.length > MAX_KEY_CHARACTERS)) {
    return { problem: `A field name is longer than ${MAX_KEY_CHARACTERS} characters.` };
  }
  const told = readOptOuts(statuses, others);
  if ('problem' in told) return told;
  const { status } = told;
  const value = Object.fromEntries([...metadata, ...told.kept]);
  // Applies the API's rules, because deeper nesting could not be stored, and text without a UTF-8 form could not be sent.
  const broken = dataProblem(value);
  if (broken !== null) return { problem: `metadata ${broken}.` };
  const parts = `${texts.first_name?.trim() ?? ''} ${texts.last_name?.trim() ?? ''}`.trim();
  const name = texts.name || parts || (mailbox?.name ?? '');
  if (name.length > MAX_CONTACT_NAME)
    return { problem: `The name is longer than ${MAX_CONTACT_NAME} characters.` };
  const [phone = ''] = (texts.phone ?? '').split(GOOGLE_SEPARATOR);
  if (phone.length > MAX_PHONE)
    return { problem: `The phone number is longer than ${MAX_PHONE} characters.` };
  const unfit = unfitLine([
    ['The name', name],
    ['The phone number', phone],
    ...tags.map((tag): Line => ['A tag', tag]),
  ]);
  if (unfit !== null) return { problem: unfit };
  return {
    email,
    key: addressKey(email),
    ...(name === '' ? {} : { name: name.toWellFormed() }),
    ...(phone === '' ? {} : { phone: phone.toWellFormed() }),
    tags: [...new Set(tags.map((tag) => tag.toWellFormed()))],
    metadata: value,
    ...(status === null ? {} : { status }),
    subTenantId: texts.sub_tenant_id?.trim() ?? '',
  };
}

/** The status that the row asks for, and the entries that remain as custom fields. */
function readOptOuts(
  given: readonly Entry[],
  others: readonly Entry[],
): { status: ContactStatus | null; kept: Entry[] } | RowProblem {
  const statuses: ContactStatus[] = [];
  const kept: Entry[] = [];
  for (const entry of [...given, ...others]) {
    const told = readOptOut(...entry);
    if (told === null || ('isKept' in told && told.isKept)) kept.push(entry);
    if (told === null) continue;
    if ('problem' in told) return told;
    if (told.status !== null) statuses.push(told.status);
  }
  return { status: strongestStatus(statuses), kept };
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

/** `null` if it is neither a text nor an array of texts. */
function tagsOf(value: unknown): string[] | null {
  const list = typeof value === 'string' ? textTags(value) : value;
  if (!Array.isArray(list) || list.some((tag) => typeof tag !== 'string')) return null;
  return (list as string[]).filter((tag) => tag !== '');
}

/** Tags of a cell: a JSON array, Google's labels, or words between commas or semicolons. */
function textTags(text: string): unknown {
  if (text.startsWith('[')) {
    const read = parseMeasured(text, MAX_VALUES);
    if ('value' in read) return read.value;
  }
  if (text.startsWith('* ') || text.includes(GOOGLE_SEPARATOR)) {
    // `* myContacts` is in every row.
    const labels = text.split(GOOGLE_SEPARATOR).map((label) => label.replace(/^\* /, '').trim());
    return labels.filter((label) => label !== 'myContacts');
  }
  return csvCells(text, ',;');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
