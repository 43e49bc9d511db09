// The part of a refused body that its problems are looked for in. Finding every problem of a body of many thousand fields takes
// seconds and memory, and only the first 20 are named.
import type { TSchema } from 'typebox';

/** Fields that the schema does not name, and items of lists, that are kept, over the whole body. */
const MAX_OTHERS = 40;
const MAX_ITEMS = 2_000;
/** Characters of such a name: it may be as long as the body. */
const MAX_NAME = 200;

/** A name of the client's as an answer shows it. */
export function shortName(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

/** Every name of a field anywhere in the schema. */
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

/**
 * A copy with every field whose name is in `names`, and so many of the others. What is nested more than 100 levels deep must have been
 * refused before.
 */
export function excerptOf(body: unknown, names: ReadonlySet<string>): unknown {
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
    // As own fields, __proto__ too.
    return Object.fromEntries(kept.map(([name, part]) => [name, copy(part)]));
  };
  return copy(body);
}
