// Entries of a JSON body: one value a line (NDJSON), or all in one array. A value is an object, or the address alone.
import { Refusal } from '../contract/refusal.js';
import { splitLines } from '../lib/rows/csv-rows.js';
import { splitArray } from '../lib/rows/json-rows.js';
import { rowsOf, type RawRow, type SplitRows } from '../lib/rows/row.js';
import { utf8Of } from '../lib/rows/text-octets.js';
import {
  EXPORTED_ONLY,
  MAX_ENTRY_BYTES,
  TOO_LONG,
  type BrokenEntry,
  type ImportEntries,
  type ImportEntry,
} from './import-entry.js';

const KNOWN = new Set(['email', 'reason', 'sub_tenant_id']);

const LINES = splitLines(MAX_ENTRY_BYTES);
const ITEMS = splitArray(MAX_ENTRY_BYTES);

export function jsonLineEntries(bytes: AsyncIterable<Uint8Array>): ImportEntries {
  return entriesOf(bytes, LINES);
}

/**
 * Refused with `bad_request` when the body is no array, goes on after it, or ends within it. What was read before that
 * has been passed on.
 */
export function jsonArrayEntries(bytes: AsyncIterable<Uint8Array>): ImportEntries {
  return entriesOf(bytes, ITEMS);
}

async function* entriesOf(bytes: AsyncIterable<Uint8Array>, split: SplitRows): ImportEntries {
  const broken = (problem: string): Refusal => new Refusal('bad_request', problem);
  for await (const rows of rowsOf(utf8Of(bytes), split, broken)) yield rows.map(entryOf);
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
  const { email, reason = null, sub_tenant_id: subTenantId = null } = fields;
  const broken = (problem: string): BrokenEntry => ({
    line,
    email: typeof email === 'string' ? email : null,
    problem,
  });
  const unknown = Object.keys(fields).find((name) => !KNOWN.has(name) && !EXPORTED_ONLY.has(name));
  if (unknown !== undefined) return broken(`${unknown.slice(0, 100)} is not a known field.`);
  if (typeof email !== 'string') return broken('email must be a string.');
  if (reason !== null && typeof reason !== 'string') return broken('reason must be a string.');
  if (subTenantId !== null && typeof subTenantId !== 'string') {
    return broken('sub_tenant_id must be a string.');
  }
  return { line, email, reason: reason ?? '', subTenantId: subTenantId ?? '' };
}
