// Entries of a JSON body: one value a line (NDJSON), or all in one array. A value is an object, or the address alone.
import { Refusal } from '../contract/refusal.js';
import { splitLines } from '../lib/rows/csv-rows.js';
import { splitArray } from '../lib/rows/json-rows.js';
import { rowsOf, type RawRow, type SplitRows } from '../lib/rows/row.js';
import { utf8Of } from '../lib/rows/text-octets.js';
import {
  MAX_ENTRY_BYTES,
  TOO_LONG,
  type BrokenEntry,
  type ImportEntries,
  type ImportEntry,
} from './import-entry.js';
import { formatOf } from './import-formats.rules.js';
import { plainWord } from './opt-out-words.rules.js';

/** Fields that are text, by their plain word. */
const TEXTS = [
  ['reason', 'reason'],
  ['subtenantid', 'sub_tenant_id'],
] as const;

const LINES = splitLines(MAX_ENTRY_BYTES);

export function jsonLineEntries(bytes: AsyncIterable<Uint8Array>): ImportEntries {
  return entriesOf(utf8Of(bytes), LINES);
}

/**
 * Reads an array, or the list in an object that a vendor's API answered. Refused with `bad_request` when the body is
 * neither, goes on after the array, or ends within it. What was read before that has been passed on.
 */
export function jsonArrayEntries(bytes: AsyncIterable<Uint8Array>): ImportEntries {
  let isWrapped = false;
  const list = unwrapped(utf8Of(bytes), () => {
    isWrapped = true;
  });
  return entriesOf(
    list,
    splitArray(MAX_ENTRY_BYTES, () => isWrapped),
  );
}

async function* entriesOf(bytes: AsyncIterable<Uint8Array>, split: SplitRows): ImportEntries {
  const broken = (problem: string): Refusal => new Refusal('bad_request', problem);
  for await (const rows of rowsOf(bytes, split, broken)) yield rows.map(entryOf);
}

function entryOf({ line, octets, problem }: RawRow): ImportEntry {
  if (problem !== null) return { line, email: null, problem: TOO_LONG };
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(octets).toString());
  } catch {
    return { line, email: null, problem: 'It is not valid JSON.' };
  }
  if (typeof value === 'string') return { line, email: value, reason: '', subTenantId: '' };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { line, email: null, problem: 'It must be an object with an email, or an address.' };
  }
  return objectEntry(line, value as Record<string, unknown>);
}

function objectEntry(line: number, fields: Record<string, unknown>): ImportEntry {
  const values = new Map(Object.entries(fields).map(([name, value]) => [plainWord(name), value]));
  const shown = values.get('email') ?? values.get('emailaddress') ?? values.get('address');
  const broken = (problem: string): BrokenEntry => ({
    line,
    email: typeof shown === 'string' ? shown : null,
    problem,
  });
  const format = formatOf(Object.keys(fields));
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

/** Answers of vendors' APIs have their list in an object, as its first field. */
const WRAPPED = /^\s*\{\s*"(?:Suppressions|SuppressedDestinationSummaries|items)"\s*:\s*(?=\[)/;
/** Longest beginning of such an object. */
const MAX_WRAPPING = 256;

/** The octets from the list on; what follows a wrapped list is left out by `splitArray`. */
async function* unwrapped(
  pieces: AsyncIterable<Uint8Array>,
  onWrapped: () => void,
): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (head === null) yield piece;
    else {
      head = Buffer.concat([head, piece]);
      if (head.length < MAX_WRAPPING) continue;
      yield withoutWrapping(head, onWrapped);
      head = null;
    }
  }
  if (head !== null) yield withoutWrapping(head, onWrapped);
}

function withoutWrapping(head: Buffer, onWrapped: () => void): Buffer {
  const found = WRAPPED.exec(head.toString('latin1', 0, MAX_WRAPPING));
  if (!found) return head;
  onWrapped();
  return head.subarray(found[0].length);
}
