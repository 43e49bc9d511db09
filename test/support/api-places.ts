// Finds the objects of an API in its own lists, and puts them into the paths of its operations.
import type { Operation } from './api-operations.js';
import type { Ask, Caller } from './isolation-world.js';

/** An object as a list shows it, and the path of that list. */
export interface Place {
  path: string;
  item: Record<string, unknown>;
}

/** Returns all objects in the caller's lists, and the lists below `most` objects of each. */
export async function harvest(
  ask: Ask,
  operations: readonly Operation[],
  caller: Caller,
  most = 6,
): Promise<Place[]> {
  const places: Place[] = [];
  const lists = operations
    .filter(({ method, isPublic, streams }) => method === 'GET' && !isPublic && !streams)
    .toSorted((a, b) => a.path.length - b.path.length);
  for (const operation of lists) {
    for (const values of valuesOf(operation, places, most)) {
      const path = pathOf(operation, values);
      const answer = await ask(caller, { method: 'GET', url: path });
      const items: unknown = (answer.json as { data?: unknown } | null)?.data;
      if (answer.status !== 200 || !Array.isArray(items)) continue;
      for (const item of items.slice(0, 20)) places.push({ path, item: item as Place['item'] });
    }
  }
  return places;
}

/** The lists that contain the parameters of an operation's path: those that its path starts with. */
export function listsFor({ path }: Operation, operations: readonly Operation[]): Operation[] {
  const nameless = (of: string): string => of.replace(PARAMETER, '{}');
  return operations.filter((list) => nameless(path).startsWith(`${nameless(list.path)}/`));
}

export const PARAMETER = /\{(\w+)\}/g;

export function pathOf({ path }: Operation, values: readonly string[]): string {
  let at = 0;
  return path.replace(PARAMETER, () => encodeURIComponent(values[at++] ?? ''));
}

/** Values for the parameters of an operation's path, from the lists that have them; one empty list if there are no parameters. */
export function valuesOf({ path }: Operation, places: readonly Place[], most = 6): string[][] {
  let found: { path: string; values: string[] }[] = [{ path: '', values: [] }];
  for (const part of path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      found = found.map((one) => ({ ...one, path: `${one.path}/${part}` }));
      continue;
    }
    found = found.flatMap((one) => {
      const here = places.filter((place) => place.path === one.path);
      const values = [...new Set(here.flatMap(({ item }) => namesOf(item, name)))].slice(0, most);
      return (values.length === 0 && name === 'index' ? ['0'] : values).map((value) => ({
        path: `${one.path}/${encodeURIComponent(value)}`,
        values: [...one.values, value],
      }));
    });
  }
  return found.map(({ values }) => values);
}

/** Possible path values of an item: by the parameter's name, by its id, and by aliases of ids. */
function namesOf(item: Place['item'], name: string): string[] {
  const isId = name.endsWith('id');
  const values = [
    item[name] ?? (isId ? (item['id'] ?? item['user_id']) : undefined),
    ...(name === 'id' ? [item['slug'], item['email'], item['external_id']] : []),
  ];
  return values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
}
