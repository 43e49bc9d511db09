// Entries of a JSON body: one value a line (NDJSON), or all in one array. A value is an object, or the address alone.
import { Refusal } from '../../contract/refusal.js';
import { linesOf, textOf } from './body-text.js';
import { EXPORTED_ONLY, MAX_ENTRY_CHARACTERS, TOO_LONG } from './import-entry.js';
import type { BrokenEntry, ImportEntries, ImportEntry } from './import-entry.js';

const KNOWN = new Set(['email', 'reason', 'sub_tenant_id']);

export async function* jsonLineEntries(bytes: AsyncIterable<Uint8Array>): ImportEntries {
  for await (const lines of linesOf(bytes)) yield lines.map(({ number, text }) => entryOf(number, text));
}

/**
 * Refused with `bad_request` when the body is no array, goes on after it, or ends within it. What was read before that
 * has been handed out.
 */
export async function* jsonArrayEntries(bytes: AsyncIterable<Uint8Array>): ImportEntries {
  const splitter = createItemSplitter();
  for await (const text of textOf(bytes)) yield splitter.read(text);
  splitter.end();
}

/** Cuts the text of an array into its items without holding more than one of them. */
function createItemSplitter() {
  let place: 'before' | 'inside' | 'after' = 'before';
  let item = '';
  let isTooLong = false;
  let number = 0;
  let depth = 0;
  let isString = false;
  let isEscaped = false;

  function finish(): ImportEntry {
    const entry = entryOf(++number, isTooLong ? null : item);
    item = '';
    isTooLong = false;
    return entry;
  }

  /** Whether the character ends the item, by the comma or bracket after it. */
  function endsItem(char: string): boolean {
    if (isString) {
      if (isEscaped) isEscaped = false;
      else if (char === '\\') isEscaped = true;
      else if (char === '"') isString = false;
      return false;
    }
    if (char === '"') isString = true;
    else if (depth === 0 && (char === ',' || char === ']')) return true;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    return false;
  }

  return {
    read(text: string): ImportEntry[] {
      const entries: ImportEntry[] = [];
      let start = 0;
      const keep = (end: number): void => {
        if (!isTooLong) item += text.slice(start, end);
        if (item.length > MAX_ENTRY_CHARACTERS) {
          isTooLong = true;
          item = '';
        }
      };
      for (let i = 0; i < text.length; i++) {
        const char = text.charAt(i);
        if (place === 'inside') {
          if (!endsItem(char)) continue;
          keep(i);
          start = i + 1;
          const isEmptyArray = char === ']' && number === 0 && !isTooLong && item.trim() === '';
          if (!isEmptyArray) entries.push(finish());
          if (char === ']') place = 'after';
        } else if (!/\s/.test(char)) {
          if (place === 'after') throw new Refusal('bad_request', 'The body goes on after its JSON array.');
          if (char !== '[') throw new Refusal('bad_request', NO_ARRAY);
          place = 'inside';
          start = i + 1;
        }
      }
      if (place === 'inside') keep(text.length);
      return entries;
    },

    end(): void {
      if (place === 'before') throw new Refusal('bad_request', NO_ARRAY);
      if (place === 'inside') {
        throw new Refusal('bad_request', `The JSON array has no end; ${number} of its items were read.`);
      }
    },
  };
}

const NO_ARRAY = 'The body is not a JSON array. One object a line is sent as application/x-ndjson.';

function entryOf(line: number, text: string | null): ImportEntry {
  if (text === null) return { line, email: null, problem: TOO_LONG };
  let value: unknown;
  try {
    value = JSON.parse(text);
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
