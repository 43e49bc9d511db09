// Writes canonical JSON (RFC 8785) of values returned by JSON.parse, and detects duplicate keys in a JSON text.

const MAX_DEPTH = 128;

/** Returns the canonical text. Null for lone surrogates and nesting deeper than 128, which have none. */
export function canonicalJson(value: unknown): string | null {
  try {
    return write(value, 0);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new RangeError('The value is nested too deeply.');
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new RangeError('The text contains a lone surrogate.');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = new Map<string, unknown>(Object.entries(value));
    // The default order is by UTF-16 code units, as section 3.2.3 requires.
    const names = [...fields.keys()].sort();
    return `{${names.map((name) => `${write(name, depth)}:${write(fields.get(name), depth + 1)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Returns whether an object in `json` has a duplicate key. `value` is the parsed `json`. */
export function repeatsKey(json: string, value: unknown): boolean {
  return writtenKeys(json) !== keysOf(value);
}

/** In valid JSON, the keys are exactly the strings before a colon. */
function writtenKeys(json: string): number {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/gs)].filter(([, colon]) => colon !== undefined).length;
}

function keysOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items: unknown[] = Object.values(value);
  return items.reduce<number>((sum, item) => sum + keysOf(item), Array.isArray(value) ? 0 : items.length);
}
