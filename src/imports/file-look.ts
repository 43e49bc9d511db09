// Reads the beginning of a contact file to find its format, its columns, and what they become. Imports and previews start with it.
import { invalidFields, Refusal } from '../contract/refusal.js';
import {
  markedEncoding,
  markedOctets,
  openRowFile,
  readRow,
  type RowContent,
  type RowFile,
  type RowFormat,
  type RowPlace,
  rowText,
  splitRows,
} from '../lib/rows/index.js';
import {
  assertMapping,
  mapColumns,
  readHeader,
  statusWarning,
  columnTarget,
  type Column,
  type ColumnMapping,
} from './contact-columns.js';
import { CONTACT_ROW_LIMITS } from './contact-row.js';

/** Enough for a row of the longest size. */
const HEAD_BYTES = 128 * 1024;
const PREVIEW_ROWS = 100;
const MAX_SAMPLES = 3;
const MAX_SAMPLE = 100;
const MAX_PREVIEW_COLUMNS = 200;

export interface FileLook {
  file: RowFile;
  /** The place of the first row of contacts. */
  start: RowPlace;
  names: string[];
  /** Null for JSON, of which each row names its fields. */
  columns: Column[] | null;
}

/**
 * Refused with `validation_error` or `bad_request` if the file cannot be read at all. `head` is in the form that `openRowFile`
 * expects.
 */
export function lookAt(
  head: Uint8Array,
  isLast: boolean,
  { format, mapping }: { format: RowFormat | null; mapping: ColumnMapping },
): FileLook {
  assertMapping(mapping);
  const opened = openRowFile(head, { format, isLast, limits: CONTACT_ROW_LIMITS });
  if ('problem' in opened) throw invalidFields([{ path: 'body', message: opened.problem }]);
  const { file, start } = opened;
  const first = splitRows(file, CONTACT_ROW_LIMITS)(head.subarray(start.offset), start, { isLast, limit: 1 });
  if (first.broken !== null) throw new Refusal('bad_request', first.broken);
  if (file.format !== 'csv') return { file, start, names: [], columns: null };
  const [row] = first.rows;
  const content = row ? readRow(row, file, CONTACT_ROW_LIMITS) : null;
  if (content === null || !('cells' in content)) {
    throw invalidFields([{ path: 'body', message: 'has no header row with column names' }]);
  }
  const { names, columns, hasHeader } = readHeader(content.cells, mapping);
  return { file, start: hasHeader ? first.place : start, names, columns };
}

/** Reads the first octets, as many as `lookAt` needs; `all` has them again, and the rest. */
export async function peek(
  pieces: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; isLast: boolean; all: AsyncGenerator<Uint8Array> }> {
  const iterator = pieces[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let isLast = false;
  while (head.length < HEAD_BYTES && !isLast) {
    const next = await iterator.next();
    if (next.done === true) isLast = true;
    else head = Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head, isLast, all: all() };
}

export interface FilePreview {
  format: RowFormat;
  encoding: string;
  delimiter: string | null;
  columns: { name: string; becomes: string; samples: string[]; warning: string | null }[];
}

/** Returns what an import would make of the columns of a file, with values of its first rows. Refused like `lookAt`. */
export async function readPreview(
  pieces: AsyncIterable<Uint8Array>,
  { charset, ...request }: { format: RowFormat | null; charset: string | null; mapping: ColumnMapping },
): Promise<FilePreview> {
  const { head, isLast } = await peek(pieces);
  const octets = await joined(markedOctets([head], charset));
  const { file, start, names, columns } = lookAt(octets, isLast, request);
  const split = splitRows(file, CONTACT_ROW_LIMITS);
  const { rows, place } = split(octets.subarray(start.offset), start, { isLast, limit: PREVIEW_ROWS });
  const contents = rows.map((row) => readRow(row, file, CONTACT_ROW_LIMITS));
  const shown = columns === null ? fieldsOf(contents, request.mapping) : { names, columns };
  const isUtf8 = rowText(octets.subarray(0, place.offset), true) !== null;
  return {
    format: file.format,
    encoding: markedEncoding(head) ?? charset ?? (isUtf8 ? 'utf-8' : 'windows-1252'),
    delimiter: file.format === 'csv' ? file.delimiter : null,
    columns: shown.names.map((name, i) => {
      const column = shown.columns[i] ?? null;
      const samples = samplesOf(contents, i, name);
      return { name, becomes: columnTarget(column), samples, warning: statusWarning(column) };
    }),
  };
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const piece of pieces) found.push(piece);
  return Buffer.concat(found);
}

/** The fields of the first rows of JSON. */
function fieldsOf(
  contents: readonly RowContent[],
  mapping: ColumnMapping,
): { names: string[]; columns: Column[] } {
  const objects = contents.flatMap((content) =>
    'value' in content && isObject(content.value) ? [content.value] : [],
  );
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))].slice(0, MAX_PREVIEW_COLUMNS);
  return { names, columns: mapColumns(names, mapping) };
}

/** Values of a column that differ, from the first rows. */
function samplesOf(contents: readonly RowContent[], i: number, name: string): string[] {
  const texts = contents.map((content) => valueOf(content, i, name).slice(0, MAX_SAMPLE));
  return [...new Set(texts)].filter((text) => text !== '').slice(0, MAX_SAMPLES);
}

function valueOf(content: RowContent, i: number, name: string): string {
  if ('cells' in content) return content.cells[i] ?? '';
  const value = 'value' in content && isObject(content.value) ? content.value[name] : undefined;
  return typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
