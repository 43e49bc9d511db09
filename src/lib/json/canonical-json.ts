// Writes canonical JSON (RFC 8785, JCS): one text per value, so that a signature or hash of the text
// identifies the value.
import type { QuoteText } from './quoted-text.js';

const MAX_DEPTH = 128;

/** Returns false for text with a lone surrogate, which has no UTF-8 form. */
export function isWellFormedText(text: string): boolean {
  return text.isWellFormed();
}

/**
 * Returns the RFC 8785 text of a JSON value. Throws a TypeError that names the place of anything that JSON
 * cannot represent: undefined (also as a property), NaN, infinities, bigints, lone surrogates, objects that
 * are not plain (dates, maps, buffers), and nesting deeper than 128, which includes cycles.
 */
export function canonicalJson(value: unknown, quote: QuoteText = JSON.stringify): string {
  return write(value, { path: '$', depth: 0, quote });
}

interface Place {
  path: string;
  depth: number;
  quote: QuoteText;
}

function write(value: unknown, place: Place): string {
  const { path, depth } = place;
  if (value === null) return 'null';
  switch (typeof value) {
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${path} is ${value}, which JSON cannot hold`);
      return JSON.stringify(value);
    case 'string':
      return writeText(value, place);
    case 'object':
      if (depth >= MAX_DEPTH) throw new TypeError(`the value is nested deeper than ${MAX_DEPTH} levels`);
      return Array.isArray(value) ? writeArray(value, place) : writeObject(value, place);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
    default:
      throw new TypeError(`${path} is of type ${typeof value}, which JSON cannot hold`);
  }
}

function writeText(text: string, { path, quote }: Place): string {
  if (!isWellFormedText(text)) throw new TypeError(`${path} holds a lone surrogate`);
  return quote(text);
}

function writeArray(items: readonly unknown[], place: Place): string {
  let text = '[';
  // By index, because forEach and map would skip the holes of a sparse array instead of refusing them.
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ',';
    text += write(items[i], within(place, `[${i}]`));
  }
  return text + ']';
}

function writeObject(value: object, place: Place): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`${place.path} is not a plain object`);
  }
  const entries = new Map<string, unknown>(Object.entries(value));
  let text = '{';
  // The default sort compares UTF-16 code units, as section 3.2.3 requires.
  for (const key of [...entries.keys()].sort()) {
    if (text.length > 1) text += ',';
    text += `${writeText(key, place)}:${write(entries.get(key), within(place, `.${key}`))}`;
  }
  return text + '}';
}

function within({ path, depth, quote }: Place, step: string): Place {
  return { path: path + step, depth: depth + 1, quote };
}
