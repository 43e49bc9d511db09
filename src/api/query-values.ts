// Query values of more than one: lists (`status=bounced,failed`, or the parameter again), and objects (`metadata[key]=value`).
import type { TSchema } from 'typebox';

interface ObjectSchema {
  properties?: Record<string, { type?: unknown; items?: { enum?: unknown } }>;
}

/**
 * Makes what the schema of a query calls a list into one, and what it calls an object. Commas part the values of a list of
 * words; of other lists (tags, addresses) each value is a parameter of its own, since it may hold a comma.
 */
export function queryValuesReader(schema: TSchema): (query: unknown) => unknown {
  const properties = Object.entries((schema as ObjectSchema).properties ?? {});
  const lists = properties.filter(([, { type }]) => type === 'array');
  const objects = properties.filter(([, { type }]) => type === 'object').map(([name]) => name);
  if (lists.length === 0 && objects.length === 0) return (query) => query;
  return (query) => {
    if (typeof query !== 'object' || query === null) return query;
    const read = new Map<string, unknown>(Object.entries(query));
    for (const [name, { items }] of lists) {
      const given = read.get(name);
      if (given === undefined) continue;
      const values: unknown[] = [given].flat();
      const isOfWords = items?.enum !== undefined;
      read.set(name, isOfWords ? values.flatMap((value) => String(value).split(',')) : values);
    }
    for (const name of objects) gather(read, name);
    return Object.fromEntries(read);
  };
}

/** `name[key]=value` for each key becomes one object; a key that comes twice keeps both values, which no schema takes. */
function gather(read: Map<string, unknown>, name: string): void {
  const start = `${name}[`;
  const keys = [...read.keys()].filter((key) => key.startsWith(start) && key.endsWith(']'));
  if (keys.length === 0) return;
  read.set(name, Object.fromEntries(keys.map((key) => [key.slice(start.length, -1), read.get(key)])));
  for (const key of keys) read.delete(key);
}
