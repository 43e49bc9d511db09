// Requests other customers' objects in every way: every operation at every place, every list and query, every reference in a
// body, the headers. A response about another customer's object must equal one about an object that does not exist.
import { isReference, jsonBodyOf, type Operation } from './api-operations.js';
import { harvest, listsFor, PARAMETER, pathOf, valuesOf, type Place } from './api-places.js';
import { comparable, differs, isId, leaksOf, ownRequests, unknownLike } from './isolation-answers.js';
import { idsIn, type Ask, type Asked, type Caller, type World } from './isolation-world.js';
import { sized } from './run-size.js';

const REFUSED = [401, 403, 404];

export interface Attacker {
  caller: Caller;
  /** Objects that do not belong to the attacker. */
  victims: readonly World[];
  /** Objects of the attacker: its own bodies and places. */
  world: World | null;
}

/** A response, and its target. */
interface Unknown {
  unknown: Asked;
  twin: string;
}

export type Attacks = ReturnType<typeof createAttacks>;

/** Each returns the problems as sentences. */
export function createAttacks(ask: Ask, operations: readonly Operation[]) {
  const unknowns = new Map<Caller, Map<string, Promise<Unknown>>>();

  /** Calls all operations on places that the victims' owner sees. Returns the problems. */
  async function attackPlaces(attacker: Attacker, targets: readonly Place[]): Promise<string[]> {
    const wrong: string[] = [];
    for (const operation of operations.filter(({ isPublic, path }) => !isPublic && path.includes('{'))) {
      // Anyone can pause mail to a domain for themselves, and it is no one's object. The rows show that it remains so.
      if (operation.path.includes('{domain}')) continue;
      for (const values of sampled(valuesOf(operation, targets))) {
        wrong.push(...(await comparePlaces(attacker, operation, { values, at: 0 })));
      }
    }
    return wrong;
  }

  /** Calls operations on nested places: below the attacker's own object, with another's nested one. */
  async function attackBelow(
    attacker: Attacker,
    targets: readonly Place[],
    theirs: readonly Place[],
  ): Promise<string[]> {
    const wrong: string[] = [];
    for (const operation of operations.filter(
      (one) => !one.isPublic && (one.path.match(PARAMETER) ?? []).length > 1,
    )) {
      const own = valuesOf(operation, theirs)[0];
      const foreign = valuesOf(operation, targets)[0];
      if (!own || !foreign || !isId(foreign.at(-1) ?? '')) continue;
      const values = [...own.slice(0, -1), foreign.at(-1) ?? ''];
      wrong.push(...(await comparePlaces(attacker, operation, { values, at: values.length - 1 })));
    }
    return wrong;
  }

  /** Compares the response about a place with that about one whose value `at` does not exist; returns the problems. */
  async function comparePlaces(
    { caller, victims }: Attacker,
    operation: Operation,
    { values, at }: { values: readonly string[]; at: number },
  ): Promise<string[]> {
    const url = pathOf(operation, values);
    const value = values[at] ?? '';
    const answer = await asked(caller, operation, url);
    const { unknown, twin } = await askedOfUnknown(caller, operation, value, (other) => [
      pathOf(operation, values.with(at, other)),
    ]);
    const what = `${caller.name}: ${operation.method} ${url}`;
    const leaks = leaksOf(answer, victims, url).map((leak) => `${what} shows ${leak}`);
    // Addresses and other names have no owner, so responses must only be alike. Below the attacker's own object, this one may
    // cause the refusal.
    const isRefused = !isId(value) || REFUSED.includes(answer.status) || (at > 0 && answer.status === 409);
    const isSame = comparable(answer, [value]) === comparable(unknown, [twin]);
    return isRefused && isSame ? leaks : [...leaks, differs(what, answer, unknown)];
  }

  /**
   * The response about a nonexistent value of the same form. It is requested once per kind of id, with a path and query from
   * `urlOf`, because all of a kind must get the same response.
   */
  function askedOfUnknown(
    caller: Caller,
    operation: Operation,
    value: string,
    urlOf: (value: string) => readonly [path: string, query?: string],
  ): Promise<Unknown> {
    const known = unknowns.get(caller) ?? new Map<string, Promise<Unknown>>();
    unknowns.set(caller, known);
    const key = `${operation.method} ${urlOf(isId(value) ? kindOf(value) : value).join('?')}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const twin = unknownLike(value);
    const found = asked(caller, operation, ...urlOf(twin)).then((unknown) => ({ unknown, twin }));
    known.set(key, found);
    return found;
  }

  /** One request of an operation, with a body and a query that are valid according to their schemas. */
  async function asked(caller: Caller, operation: Operation, path: string, query = ''): Promise<Asked> {
    const { method, bodies } = operation;
    const needed = operation.parameters
      .filter((one) => one.in === 'query' && one.required && !query.startsWith(`${one.name}=`))
      .map(({ name }) => `${name}=${encodeURIComponent(NEEDED[name] ?? '1')}`);
    const search = [...needed, ...(query === '' ? [] : [query])].join('&');
    const url = search === '' ? path : `${path}?${search}`;
    const types = Object.keys(bodies);
    if (types.length === 0) return ask(caller, { method, url });
    if (types.includes('text/csv')) {
      return ask(caller, { method, url, body: 'email\nx@example.com\n', contentType: 'text/csv' });
    }
    return ask(caller, { method, url, body: withoutReferences(jsonBodyOf(operation)) });
  }

  /** The attacker's lists show nothing of the victims, even if filtered by a victim's value. */
  async function attackLists(attacker: Attacker, targets: readonly Place[]): Promise<string[]> {
    const wrong: string[] = [];
    const { caller, victims, world } = attacker;
    const isApart =
      world !== null && victims.every(({ scope }) => scope.environmentId !== world.scope.environmentId);
    for (const operation of operations) {
      const { method, path, isPublic, streams, parameters } = operation;
      if (isPublic || streams || method !== 'GET' || path.includes('{')) continue;
      const plain = await asked(caller, operation, path);
      const what = `${caller.name}: GET ${path}`;
      for (const leak of leaksOf(plain, victims, path + ownRequests(path, plain, isApart)))
        wrong.push(`${what} shows ${leak}`);
      for (const parameter of parameters.filter((one) => one.in === 'query')) {
        const { name } = parameter;
        for (const value of isReference(name) ? [] : wordsFor(name, victims, targets)) {
          wrong.push(...(await compareQuery(attacker, operation, path, { name, value })));
        }
      }
    }
    return wrong;
  }

  /** Queries that name an object, in any operation; some delete the attacker's own objects. */
  async function attackQueries(attacker: Attacker, theirs: readonly Place[]): Promise<string[]> {
    const wrong: string[] = [];
    const ids = oneOfEach(attacker.victims);
    for (const operation of operations.filter(({ isPublic, streams }) => !isPublic && !streams)) {
      const [own] = valuesOf(operation, theirs);
      const names = operation.parameters.filter(
        (one) => one.in === 'query' && isReference(one.name) && isAskedOf(attacker.caller, one.name),
      );
      for (const { name } of own ? names : []) {
        for (const value of kindsFor(name, ids)) {
          wrong.push(
            ...(await compareQuery(attacker, operation, pathOf(operation, own ?? []), { name, value })),
          );
        }
      }
    }
    return wrong;
  }

  async function compareQuery(
    { caller, victims }: Attacker,
    operation: Operation,
    path: string,
    { name, value }: { name: string; value: string },
  ): Promise<string[]> {
    const of = (text: string): string => `${name}=${encodeURIComponent(text)}`;
    const answer = await asked(caller, operation, path, of(value));
    const { unknown, twin } = await askedOfUnknown(caller, operation, value, (other) => [path, of(other)]);
    const what = `${caller.name}: ${operation.method} ${path}?${of(value)}`;
    const leaks = leaksOf(answer, victims, value).map((leak) => `${what} shows ${leak}`);
    if (comparable(answer, [value]) === comparable(unknown, [twin])) return leaks;
    return [...leaks, differs(what, answer, unknown)];
  }

  /** Bodies that were accepted of the attacker, with each of their references to one of the victims' objects instead. */
  async function attackReferences(attacker: Attacker): Promise<string[]> {
    const wrong: string[] = [];
    const { caller, victims, world } = attacker;
    const all = oneOfEach(victims);
    for (const { method, path, body } of world?.made ?? []) {
      const operation = operations.find((one) => one.method === method && matches(one.path, path));
      const schema = operation?.bodies['application/json']?.schema;
      const plain = await ask(caller, { method, url: path, body: fresh(body) });
      // Otherwise the following checks would prove nothing.
      if (plain.status >= 300 && !plain.text.includes('already_enrolled')) {
        wrong.push(`${caller.name}: ${method} ${path} of their own answers ${plain.status} ${plain.text}`);
      }
      for (const { put, kinds } of references(body, Object.keys(schema?.properties ?? {}), all)) {
        for (const id of kinds) {
          const twin = unknownLike(id);
          const answer = await ask(caller, { method, url: path, body: fresh(put(id)) });
          const unknown = await ask(caller, { method, url: path, body: fresh(put(twin)) });
          const what = `${caller.name}: ${method} ${path} ${JSON.stringify(put(id))}`;
          if (comparable(answer, [id]) !== comparable(unknown, [twin]))
            wrong.push(differs(what, answer, unknown));
          for (const leak of leaksOf(answer, victims, JSON.stringify(put(id))))
            wrong.push(`${what} shows ${leak}`);
        }
      }
    }
    return wrong;
  }

  /** The header that narrows a request. */
  async function attackHeader({ caller, victims }: Attacker): Promise<string[]> {
    const wrong: string[] = [];
    const ids = oneOfEach(victims);
    // The header names a sub-tenant; the small size tries another kind of id once.
    const [another = ''] = ids.filter((id) => kindOf(id) !== 'tnt');
    const small = [...ids.filter((id) => kindOf(id) === 'tnt'), another];
    for (const id of sized({ small, full: ids })) {
      const twin = unknownLike(id);
      for (const [method, url] of [
        ['GET', '/v1/messages'],
        ['GET', '/v1/contacts'],
        ['POST', '/v1/messages'],
      ] as const) {
        const request = (value: string) => ({
          ...{ method, url, headers: { 'x-sub-tenant-id': value } },
          ...(method === 'POST' ? { body: { to: 'x@example.com', subject: 'x', text: 'x' } } : {}),
        });
        const answer = await ask(caller, request(id));
        const unknown = await ask(caller, request(twin));
        if (comparable(answer, [id]) !== comparable(unknown, [twin]))
          wrong.push(`${caller.name}: ${url} with X-Sub-Tenant-Id ${id}`);
        if (answer.status < 400)
          wrong.push(`${caller.name}: ${url} with X-Sub-Tenant-Id ${id} answers ${answer.status}`);
      }
    }
    return wrong;
  }

  /** The lists with a place for nested requests, or with a query, among the attacker's own; all in full size. */
  function listsOfTheirs(caller: Caller): readonly Operation[] {
    const below = operations.filter(
      ({ path, parameters }) =>
        (path.match(PARAMETER) ?? []).length > 1 ||
        parameters.some((one) => one.in === 'query' && isReference(one.name) && isAskedOf(caller, one.name)),
    );
    const lists = new Set(below.flatMap((operation) => listsFor(operation, operations)));
    return sized({ small: [...lists], full: operations });
  }

  /** Runs all attacks. */
  async function attack(attacker: Attacker, targets: readonly Place[]): Promise<string[]> {
    const { caller } = attacker;
    const theirs = await harvest(ask, listsOfTheirs(caller), caller, sized({ small: 2, full: 6 }));
    return [
      ...(await attackPlaces(attacker, targets)),
      ...(await attackBelow(attacker, targets, theirs)),
      ...(await attackLists(attacker, targets)),
      ...(await attackReferences(attacker)),
      ...(await attackHeader(attacker)),
      ...(await attackQueries(attacker, theirs)),
    ];
  }

  return { attack, attackPlaces, attackLists, asked };
}

/** All in full size, otherwise the first of each form: each kind of id, and a name. */
export function sampled(found: readonly string[][]): readonly string[][] {
  const forms = new Map<string, string[]>();
  for (const values of found) {
    const form = values.map((value) => (isId(value) ? kindOf(value) : '')).join('/');
    if (!forms.has(form)) forms.set(form, values);
  }
  return sized({ small: [...forms.values()], full: found });
}

/** Without optional fields that name other objects, which have separate requests. */
function withoutReferences(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name]) => !isReference(name) && !['variants', 'confirmation_template_id'].includes(name),
    ),
  );
}

/** Required query values for which `1` is invalid. */
const NEEDED: Readonly<Record<string, string>> = { email: 'somebody@example.com', q: 'somebody' };

/** Texts to search for: addresses, words, tags; in the small size those of one victim. */
function wordsFor(name: string, victims: readonly World[], targets: readonly Place[]): string[] {
  const most = sized({ small: 1, full: victims.length });
  const words = victims.slice(0, most).map(({ word }) => word);
  if (['q', 'tag', 'external_id', 'domain'].includes(name))
    return name === 'domain' ? words.map((word) => `${word}.example`) : words;
  if (['to', 'email', 'correspondent'].includes(name)) return words.map((word) => `ann@${word}.example`);
  if (name === 'cursor' || name === 'after') {
    return targets
      .flatMap(({ item }) => (typeof item['id'] === 'string' ? [item['id']] : []))
      .slice(0, sized({ small: 1, full: 3 }));
  }
  return [];
}

/** One id of each kind from each victim; in the small size from any of them. */
function oneOfEach(victims: readonly World[]): string[] {
  const kinds = (ids: readonly string[]): string[] => [
    ...new Map(ids.map((id) => [kindOf(id), id])).values(),
  ];
  const found = victims.flatMap(({ ids }) => kinds([...ids]));
  return sized({ small: kinds(found), full: [...new Set(found)] });
}

/** Places in a body for an id, and the ids to put there. */
function references(body: Record<string, unknown>, names: readonly string[], all: readonly string[]) {
  const text = JSON.stringify(body);
  const known = [...new Set(idsIn(text))].map((id) => ({
    put: (other: string) => JSON.parse(text.replaceAll(id, other)) as Record<string, unknown>,
    kinds: all.filter((other) => kindOf(other) === kindOf(id)),
  }));
  const named = names
    .filter((name) => isReference(name))
    .map((name) => ({
      put: (other: string) => ({ ...body, [name]: name.endsWith('ids') ? [other] : other }),
      kinds: kindsFor(name, all),
    }));
  return [...known, ...named];
}

const kindOf = (id: string): string => id.split('_')[0] ?? '';

/** The ids whose kind abbreviates the name, as `tpl` does `template_id`; if there are none, all, or one in the small size. */
function kindsFor(name: string, ids: readonly string[]): readonly string[] {
  const meant = ids.filter((id) =>
    new RegExp(Array.from(kindOf(id)).join('.*')).test(name.replace(/_ids?$/, '')),
  );
  return meant.length > 0 ? meant : sized({ small: ids.slice(0, 1), full: ids });
}

/** A key is refused in every workspace but its own before any handler, so in the small size only people try the workspace. */
function isAskedOf({ headers }: Caller, name: string): boolean {
  return sized({ small: name !== 'workspace_id' || 'cookie' in headers, full: true });
}

let times = 0;

/** Values that must be new each time, so that the request itself is not refused. */
function fresh(body: Record<string, unknown>): Record<string, unknown> {
  times += 1;
  return {
    ...body,
    ...('slug' in body ? { slug: `s-${times}` } : {}),
    ...('domain' in body ? { domain: `d${times}.example` } : {}),
    ...('idempotency_key' in body ? { idempotency_key: `k-${times}` } : {}),
  };
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(PARAMETER, '[^/]+')}$`).test(path);
}

/** The victims' places among those that their owner sees. */
export function targetsOf(victims: readonly World[], places: readonly Place[]): Place[] {
  const ids = new Set(victims.flatMap((victim) => [...victim.ids]));
  const words = victims.map(({ word }) => word);
  return places.filter(({ path, item }) => {
    const text = `${path}${JSON.stringify(item)}`;
    return idsIn(text).some((id) => ids.has(id)) || words.some((word) => text.includes(word));
  });
}
