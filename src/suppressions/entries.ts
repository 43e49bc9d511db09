// Reads the entries of an uploaded suppression file. In CSV, a header row names the columns, or every line is an address. In JSON,
// an entry is an object or an address. An entry is a line, so an unclosed quote affects only its own line.
import { invalidFields, Refusal } from '../contract/refusal.js';
import {
  plainWord,
  type RawRow,
  readRow,
  type RowFile,
  type RowFormat,
  type RowLimits,
  streamRows,
} from '../lib/rows/index.js';
import { recognizeFormat, OWN_COLUMNS, type RecognizedFormat } from './import-formats.rules.js';

interface ReadableEntry {
  /** From 1; in a JSON array the number of the item. */
  line: number;
  email: string;
  /** As given in the file; '' if there is none. */
  reason: string;
  /** '' for the owner of the importing key. */
  subTenantId: string;
}

interface BrokenEntry {
  line: number;
  /** Text in the place of the address; null when there is none. */
  email: string | null;
  /** A sentence. */
  problem: string;
}

export type ImportEntry = ReadableEntry | BrokenEntry;

/** Entries a few at a time, in the body's order. Throws a Refusal when the body as a whole cannot be read on. */
export type ImportEntries = AsyncIterable<readonly ImportEntry[]>;

const LIMITS: RowLimits = {
  maxBytes: 4096,
  isMultiline: false,
  wrappers: ['Suppressions', 'SuppressedDestinationSummaries', 'items'],
};

/** A header row, with the place of each column by the plain word of its name. Null without a header row. */
type Columns = { format: RecognizedFormat; places: ReadonlyMap<string, number> } | null;

/**
 * Refused with `validation_error` for a header row that names an unknown column, or one twice, and with `bad_request` for a JSON array
 * that is broken. Entries before that have been passed on.
 */
export async function* readEntries(
  pieces: AsyncIterable<Uint8Array>,
  { format, charset }: { format: RowFormat | null; charset: string | null },
): ImportEntries {
  const broken = (problem: string): Refusal => new Refusal('bad_request', problem);
  let columns: Columns | undefined;
  for await (const { file, rows } of streamRows(pieces, { format, charset, limits: LIMITS }, broken)) {
    const entries: ImportEntry[] = [];
    for (const row of rows) {
      if (columns === undefined && file.format === 'csv') {
        columns = readHeader(row, file);
        if (columns) continue;
      }
      entries.push(...readEntry(row, file, columns ?? null));
    }
    yield entries;
  }
}

function readHeader(row: RawRow, file: RowFile): Columns {
  const content = readRow(row, file, LIMITS);
  if (!('cells' in content)) return null;
  const cells = content.cells.map((cell) => cell.trim());
  const format = recognizeFormat(cells);
  if (!format) return null;
  const words = cells.map(plainWord);
  const twice = cells.find((name, i) => name !== '' && words.indexOf(plainWord(name)) < i);
  if (format.isOwn && twice !== undefined)
    throw invalidFields([{ path: twice.toLowerCase(), message: 'is a duplicate column' }]);
  if (format.unknown !== null) {
    const message = `is not a known column. Known columns: ${OWN_COLUMNS.join(', ')}`;
    throw invalidFields([{ path: format.unknown.toLowerCase(), message }]);
  }
  return { format, places: new Map(words.map((word, place) => [word, place])) };
}

function readEntry(row: RawRow, file: RowFile, columns: Columns): ImportEntry[] {
  const { line } = row;
  const content = readRow(row, file, LIMITS);
  if ('problem' in content) return [{ line, email: null, problem: content.problem }];
  if ('value' in content) return [jsonEntry(line, content.value)];
  const cells = content.cells.map((cell) => cell.trim());
  // spreadsheets leave rows of empty cells behind
  if (cells.every((cell) => cell === '')) return [];
  if (columns) {
    const { places, format } = columns;
    const { problem, ...entry } = format.read((name) => cells[places.get(name) ?? -1] ?? '');
    return [problem === null ? { line, ...entry } : { line, email: entry.email, problem }];
  }
  const [email = '', ...others] = cells;
  return others.every((other) => other === '')
    ? [{ line, email, reason: '', subTenantId: '' }]
    : [{ line, email, problem: 'Files with several columns require a header row.' }];
}

function jsonEntry(line: number, value: unknown): ImportEntry {
  if (typeof value === 'string') return { line, email: value, reason: '', subTenantId: '' };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {
      line,
      email: null,
      problem: 'The entry must be an email address or an object with an email field.',
    };
  }
  return objectEntry(line, value as Record<string, unknown>);
}

/** Fields that are text, by their plain word. */
const TEXTS = [
  ['reason', 'reason'],
  ['subtenantid', 'sub_tenant_id'],
] as const;

function objectEntry(line: number, fields: Record<string, unknown>): ImportEntry {
  const values = new Map(Object.entries(fields).map(([name, value]) => [plainWord(name), value]));
  const format = recognizeFormat(Object.keys(fields));
  const shown = format ? values.get(format.email) : null;
  const broken = (problem: string): BrokenEntry => ({
    line,
    email: typeof shown === 'string' ? shown : null,
    problem,
  });
  if (!format) return broken('email must be a string.');
  if (format.unknown !== null) return broken(`${format.unknown.slice(0, 100)} is not a known field.`);
  if (typeof shown !== 'string') return broken('email must be a string.');
  for (const [word, name] of TEXTS) {
    const value = values.get(word) ?? null;
    if (value !== null && typeof value !== 'string') return broken(`${name} must be a string.`);
  }
  const { problem, ...entry } = format.read((name) => {
    const value = values.get(name) ?? '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  return problem === null ? { line, ...entry } : broken(problem);
}
