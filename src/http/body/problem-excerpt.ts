// Cuts a refused body to the part that is searched for problems. Finding every problem among many thousand fields takes seconds
// and memory, and only the first 20 are reported.
import type { TSchema } from 'typebox';

/** Most unknown fields and list items kept of the whole body. */
const MAX_OTHERS = 40;
const MAX_ITEMS = 2_000;
/** Most characters of an unknown name, which may be as long as the body. */
const MAX_NAME = 200;

/** Shortens a client's name for an answer. */
export function shortName(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

/** Collects all field names of the schema, at any depth. */
export function namesIn(schema: TSchema): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<object>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [key, part] of Object.entries(value as Record<string, unknown>)) {
      if (key === 'properties' && typeof part === 'object' && part !== null) {
        for (const name of Object.keys(part)) names.add(name);
      }
      walk(part);
    }
  };
  walk(schema);
  return names;
}

/** Copies every field whose name is in `names`, and a bounded number of the others. The body must be nested at most 100 levels deep. */
export function excerptBody(body: unknown, names: ReadonlySet<string>): unknown {
  let others = MAX_OTHERS;
  let items = MAX_ITEMS;
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const kept = value.slice(0, items);
      items -= kept.length;
      return kept.map(copy);
    }
    const kept: [string, unknown][] = [];
    for (const name in value) {
      const part = (value as Record<string, unknown>)[name];
      if (names.has(name)) {
        kept.push([name, part]);
      } else if (others > 0) {
        others -= 1;
        kept.push([shortName(name), part]);
      }
    }
    // Object.fromEntries also sets __proto__ as an own field.
    return Object.fromEntries(kept.map(([name, part]) => [name, copy(part)]));
  };
  return copy(body);
}
