// Reads the operator's `outbound` object and the plain settings beside it.
import { MESSAGE_TYPES } from '../../contract/names.js';
import { toAscii } from '../../lib/addresses/index.js';
import { type AddressFamily, canonicalHost } from '../../lib/dns-answers/index.js';
import type { Egress, EgressRoute, EgressSource, PoolMember, RouteShare, Via } from './egress.rules.js';
import { readPreset, withApplication } from './smarthost-presets.rules.js';
import { readSmarthost, SMARTHOST_FORM, type Smarthost } from './smarthost.rules.js';
import {
  addressFamilies,
  readEhloName,
  readSourceAddress,
  readSourceList,
  type Source,
} from './source-addresses.rules.js';
import { type DataReader, type Fields, readOperatorData } from '../../lib/config/index.js';

const MAX = {
  sources: 256,
  pools: 64,
  smarthosts: 64,
  routes: 1000,
  values: 1000,
  vias: 16,
  days: 120,
} as const;
const SECTIONS = ['sources', 'pools', 'smarthosts', 'routes', 'default', 'overflow'];
const SOURCE_KEYS = ['name', 'address4', 'address6', 'ehlo', 'prefer', 'warm_up'];
const ROUTE_KEYS = ['name', 'tenant', 'domain', 'provider', 'type', 'tag', 'via', 'share', 'rise'];
/** Shortest time (ms) between two steps of a share, so that bounces and complaints have time to arrive. */
const MIN_RISE_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Names of the pools and smarthosts that the simple settings create. */
const DEFAULT = 'default';

export interface EgressBase {
  /** MAILKEEL_SOURCE_ADDRESSES */
  sourceAddresses: string | null;
  /** MAILKEEL_SMARTHOST */
  smarthost: string | null;
  /** Of sources that name none. */
  ehloName: string;
  /** Of config/providers.json; without them a route may name any. */
  providerNames?: ReadonlySet<string>;
}

/**
 * The operator's `outbound` object (null: none) together with the plain settings. Without both: one source that leaves
 * the address to the system. Throws DataProblems, which repeat no value.
 */
export function compileEgress(json: unknown, base: EgressBase): Egress {
  const listed =
    base.sourceAddresses === null
      ? null
      : readOperatorData('source addresses', (reader) =>
          readSourceList(reader, base.sourceAddresses ?? '', base.ehloName),
        );
  return readOperatorData('outbound', (reader) => {
    const written = json === null ? {} : reader.fields(json, 'the whole', SECTIONS);
    const sources = sourcesOf(reader, written, listed?.sources ?? [], base.ehloName);
    const pools = poolsOf(reader, written, listed?.pools ?? new Map(), sources);
    const smarthosts = smarthostsOf(reader, written, base.smarthost);
    const known = { pools, smarthosts, providers: base.providerNames };
    const routes = reader
      .list(written['routes'] ?? [], 'routes', MAX.routes)
      .map((route, i) => namedRouteOf(reader, route, `routes[${i}]`, known));
    checkNames(reader, routes);
    const overflow =
      written['overflow'] === undefined
        ? null
        : (viaOf(reader, written['overflow'], 'overflow', known) ?? null);
    const egress = {
      sources,
      pools,
      smarthosts,
      routes,
      default: defaultOf(reader, written, base, known),
      overflow,
    };
    return { ...egress, notes: notesOn(egress, listed !== null || written['pools'] !== undefined) };
  });
}

/**
 * Reads one route of the operator, in the format of the `outbound` object, under the id of its row. Throws DataProblems if it does
 * not fit the egress.
 */
export function compileRoute(
  json: unknown,
  id: string | null,
  { pools, smarthosts }: Pick<Egress, 'pools' | 'smarthosts'>,
  providers: ReadonlySet<string>,
): EgressRoute {
  return readOperatorData('route', (reader) => ({
    ...routeOf(reader, json, 'the route', { pools, smarthosts, providers }),
    name: id,
  }));
}

function sourcesOf(
  reader: DataReader,
  written: Fields,
  listed: readonly Source[],
  ehloName: string,
): Map<string, EgressSource> {
  const sources = new Map<string, EgressSource>();
  const owners = new Map<string, string>();
  const add = (source: EgressSource, place: string): void => {
    if (sources.has(source.name)) reader.problem(place, `has the name of another source: "${source.name}"`);
    sources.set(source.name, source);
    for (const address of [source.address4, source.address6]) {
      if (address !== null && owners.has(address)) reader.problem(place, 'uses an address of another source');
      if (address !== null) owners.set(address, source.name);
    }
  };
  for (const source of listed) add({ ...source, warmUp: null }, 'the source addresses');
  reader.list(written['sources'] ?? [], 'sources', MAX.sources).forEach((value, i) => {
    add(sourceOf(reader, value, `sources[${i}]`, ehloName), `sources[${i}]`);
  });
  if (sources.size === 0) {
    add({ name: DEFAULT, address4: null, address6: null, ehloName, families: [4], warmUp: null }, 'sources');
  }
  return sources;
}

function sourceOf(reader: DataReader, value: unknown, place: string, ehloName: string): EgressSource {
  const source = reader.fields(value, place, SOURCE_KEYS);
  const addressOf = (key: string, family: AddressFamily): string | null => {
    if (source[key] === undefined) return null;
    return (
      readSourceAddress(
        reader,
        reader.text(source[key], `${place}.${key}`) ?? '',
        `${place}.${key}`,
        family,
      ) ?? null
    );
  };
  const address4 = addressOf('address4', 4);
  const address6 = addressOf('address6', 6);
  const prefer = source['prefer'] ?? 4;
  if (prefer !== 4 && prefer !== 6) reader.problem(`${place}.prefer`, 'must be 4 or 6');
  if (prefer === 6 && address6 === null) reader.problem(`${place}.prefer`, 'requires an address6');
  return {
    name: reader.name(source['name'], `${place}.name`) ?? '',
    address4,
    address6,
    ehloName:
      source['ehlo'] === undefined ? ehloName : (readEhloName(reader, source['ehlo'], `${place}.ehlo`) ?? ''),
    families: addressFamilies(address4, address6, prefer === 6 ? 6 : 4),
    warmUp: source['warm_up'] === undefined ? null : warmUpOf(reader, source['warm_up'], `${place}.warm_up`),
  };
}

function warmUpOf(reader: DataReader, value: unknown, place: string): EgressSource['warmUp'] {
  const { started_on: startedOn, plan } = reader.fields(value, place, ['started_on', 'plan']);
  const day = typeof startedOn === 'string' && DAY.test(startedOn) ? startedOn : '';
  const time = Date.parse(`${day}T00:00:00Z`);
  // An impossible day such as 2026-02-30 is either refused or moved on by the parser.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(day)) {
    reader.problem(`${place}.started_on`, 'must be a date, for example 2026-11-01');
  }
  if (plan === undefined) return { startedOn: day, dailyCaps: null };
  const caps = reader.list(plan, `${place}.plan`, MAX.days);
  if (caps.length === 0) reader.problem(`${place}.plan`, 'must not be empty');
  const dailyCaps = caps.map((cap, i) => reader.whole(cap, `${place}.plan[${i}]`, { min: 1, max: 1e9 }) ?? 1);
  return { startedOn: day, dailyCaps };
}

function poolsOf(
  reader: DataReader,
  written: Fields,
  listed: ReadonlyMap<string, readonly string[]>,
  sources: ReadonlyMap<string, EgressSource>,
): Map<string, PoolMember[]> {
  const pools = new Map<string, PoolMember[]>();
  for (const [name, members] of listed)
    pools.set(
      name,
      members.map((source) => ({ source, weight: 1 })),
    );
  const given = Object.entries(
    written['pools'] === undefined ? {} : reader.fields(written['pools'], 'pools'),
  );
  if (given.length > MAX.pools) reader.problem('pools', `must have at most ${MAX.pools} entries`);
  for (const [name, value] of given) {
    const place = `pools.${name.slice(0, 63)}`;
    reader.name(name, place);
    const members = reader
      .list(value, place, MAX.sources)
      .map((member, i) => memberOf(reader, member, `${place}[${i}]`));
    if (members.length === 0) reader.problem(place, 'must have at least one member');
    const unknown = members.find(({ source }) => source !== '' && !sources.has(source));
    if (unknown)
      reader.problem(place, `refers to an unknown source. Known sources: ${[...sources.keys()].join(', ')}`);
    if (new Set(members.map(({ source }) => source)).size < members.length)
      reader.problem(place, 'lists a source twice');
    pools.set(name, members);
  }
  if (pools.size === 0)
    pools.set(
      DEFAULT,
      [...sources.keys()].map((source) => ({ source, weight: 1 })),
    );
  return pools;
}

function memberOf(reader: DataReader, value: unknown, place: string): PoolMember {
  if (typeof value === 'string') return { source: value.slice(0, 63), weight: 1 };
  const { source, weight = 1 } = reader.fields(value, place, ['source', 'weight']);
  return {
    source: reader.text(source, `${place}.source`)?.slice(0, 63) ?? '',
    weight: reader.whole(weight, `${place}.weight`, { min: 1, max: 1000 }) ?? 1,
  };
}

function smarthostsOf(reader: DataReader, written: Fields, setting: string | null): Map<string, Smarthost> {
  const smarthosts = new Map<string, Smarthost>();
  const put = (name: string, smarthost: Smarthost, place: string): void => {
    if (smarthosts.has(name)) reader.problem(place, `has the name of another smarthost: "${name}"`);
    smarthosts.set(name, smarthost);
  };
  const add = (name: string, url: string, place: string): void => {
    try {
      put(name, readSmarthost(url), place);
    } catch {
      reader.problem(`${place}.url`, `must be ${SMARTHOST_FORM}`);
    }
  };
  if (setting !== null) add(DEFAULT, setting, 'the setting');
  reader.list(written['smarthosts'] ?? [], 'smarthosts', MAX.smarthosts).forEach((value, i) => {
    const place = `smarthosts[${i}]`;
    const fields = reader.fields(value, place);
    const named = reader.name(fields['name'], `${place}.name`);
    if (fields['preset'] !== undefined) {
      const smarthost = readPreset(reader, value, place);
      if (named !== undefined && smarthost !== undefined) put(named, smarthost, place);
      return;
    }
    const { url, oauth } = reader.fields(value, place, ['name', 'url', 'oauth']);
    const text = reader.text(url, `${place}.url`);
    if (named === undefined || text === undefined) return;
    add(named, text, place);
    const smarthost = smarthosts.get(named);
    if (oauth !== undefined && smarthost !== undefined)
      smarthosts.set(named, withApplication(reader, smarthost, oauth, place));
  });
  return smarthosts;
}

interface Known {
  pools: ReadonlyMap<string, unknown>;
  smarthosts: ReadonlyMap<string, unknown>;
  providers: ReadonlySet<string> | undefined;
}

function viaOf(reader: DataReader, value: unknown, place: string, known: Known): Via | undefined {
  const [, kind, name = ''] =
    (typeof value === 'string' && /^(pool|smarthost):([\w.-]{1,63})$/.exec(value)) || [];
  if (kind === undefined) reader.problem(place, 'must be "pool:name" or "smarthost:name"');
  else if (!(kind === 'pool' ? known.pools : known.smarthosts).has(name)) {
    reader.problem(place, `refers to an unknown ${kind}: "${name}"`);
  } else return kind === 'pool' ? { kind, pool: name } : { kind: 'smarthost', name };
  return undefined;
}

function viasOf(reader: DataReader, value: unknown, place: string, known: Known): Via[] {
  const list = reader.list(value, place, MAX.vias);
  if (list.length === 0) reader.problem(place, 'must refer to a pool or a smarthost');
  return list.flatMap((via, i) => viaOf(reader, via, `${place}[${i}]`, known) ?? []);
}

/** A route of the file. A share needs a name, under which its current value is stored. */
function namedRouteOf(reader: DataReader, value: unknown, place: string, known: Known): EgressRoute {
  const route = routeOf(reader, value, place, known);
  if (route.share !== null && route.name === null)
    reader.problem(`${place}.name`, 'is required for a route with a share');
  return route;
}

function checkNames(reader: DataReader, routes: readonly EgressRoute[]): void {
  const names = new Set<string>();
  for (const [i, { name }] of routes.entries()) {
    if (name !== null && names.has(name))
      reader.problem(`routes[${i}]`, `has the name of another route: "${name}"`);
    if (name !== null) names.add(name);
  }
}

function routeOf(reader: DataReader, value: unknown, place: string, known: Known): EgressRoute {
  const route = reader.fields(value, place, ROUTE_KEYS);
  const texts = (key: string): string[] | null => {
    if (route[key] === undefined) return null;
    const given = Array.isArray(route[key]) ? route[key] : [route[key]];
    if (given.length === 0) reader.problem(`${place}.${key}`, 'must not be empty');
    return reader
      .list(given, `${place}.${key}`, MAX.values)
      .flatMap((text) => reader.text(text, `${place}.${key}`) ?? []);
  };
  const via = viasOf(reader, route['via'], `${place}.via`, known);
  return {
    name: route['name'] === undefined ? null : (reader.name(route['name'], `${place}.name`) ?? null),
    tenants: texts('tenant'),
    domains: texts('domain')?.map((domain) => domainOf(reader, domain, `${place}.domain`)) ?? null,
    providers: providersOf(reader, texts('provider'), place, known),
    types: texts('type')?.flatMap((type) => reader.oneOf(type, `${place}.type`, MESSAGE_TYPES) ?? []) ?? null,
    tags: texts('tag'),
    via,
    share: shareOf(reader, route, place, via),
  };
}

/** Reads `share` and `rise`. Each side needs at least one path. */
function shareOf(
  reader: DataReader,
  { share, rise }: Fields,
  place: string,
  via: readonly Via[],
): RouteShare | null {
  if (share === undefined) {
    if (rise !== undefined) reader.problem(`${place}.rise`, 'requires a share');
    return null;
  }
  for (const kind of ['pool', 'smarthost']) {
    if (!via.some((one) => one.kind === kind))
      reader.problem(`${place}.via`, `must refer to a ${kind}, because the route has a share`);
  }
  const percent = reader.whole(share, `${place}.share`, { min: 0, max: 100 }) ?? 0;
  return { percent, rise: rise === undefined ? null : riseOf(reader, rise, `${place}.rise`) };
}

function riseOf(reader: DataReader, value: unknown, place: string): RouteShare['rise'] {
  const { step, every, until = 100 } = reader.fields(value, place, ['step', 'every', 'until']);
  return {
    step: reader.whole(step, `${place}.step`, { min: 1, max: 100 }) ?? 1,
    everyMs: reader.duration(every, `${place}.every`, MIN_RISE_MS) ?? MIN_RISE_MS,
    until: reader.whole(until, `${place}.until`, { min: 1, max: 100 }) ?? 100,
  };
}

function providersOf(
  reader: DataReader,
  names: string[] | null,
  place: string,
  { providers }: Known,
): string[] | null {
  if (providers && names?.some((name) => !providers.has(name))) {
    reader.problem(`${place}.provider`, `must be one of ${[...providers].join(', ')}`);
  }
  return names;
}

function domainOf(reader: DataReader, text: string, place: string): string {
  const below = text.startsWith('*.');
  const domain = toAscii(canonicalHost(below ? text.slice(2) : text));
  if (domain === null || domain.includes('*')) {
    reader.problem(place, 'must be a domain, or *. followed by a domain');
    return text;
  }
  return below ? `*.${domain}` : domain;
}

function defaultOf(reader: DataReader, written: Fields, base: EgressBase, known: Known): Via[] {
  if (written['default'] !== undefined) return viasOf(reader, written['default'], 'default', known);
  if (base.smarthost !== null) return [{ kind: 'smarthost', name: DEFAULT }];
  if (!known.pools.has(DEFAULT))
    reader.problem('default', 'must define where mail goes, because no pool is named "default"');
  return [{ kind: 'pool', pool: DEFAULT }];
}

function notesOn(egress: Omit<Egress, 'notes'>, hasOwnPools: boolean): string[] {
  const vias = [
    ...egress.routes.flatMap(({ via }) => via),
    ...egress.default,
    ...(egress.overflow ? [egress.overflow] : []),
  ];
  const usedPools = new Set(vias.flatMap((via) => (via.kind === 'pool' ? [via.pool] : [])));
  const usedSmarthosts = new Set(vias.flatMap((via) => (via.kind === 'smarthost' ? [via.name] : [])));
  const pooled = new Set([...egress.pools.values()].flat().map(({ source }) => source));
  const catchAll = egress.routes.findIndex((route) =>
    [route.tenants, route.domains, route.providers, route.types, route.tags].every(
      (criterion) => criterion === null,
    ),
  );
  return [
    ...[...egress.pools.keys()]
      .filter((name) => hasOwnPools && !usedPools.has(name))
      .map((name) => `Pool ${name} is not used by any route.`),
    ...[...egress.smarthosts.keys()]
      .filter((name) => !usedSmarthosts.has(name))
      .map((name) => `Smarthost ${name} is not used by any route.`),
    ...[...egress.sources.keys()]
      .filter((name) => !pooled.has(name))
      .map((name) => `Source ${name} is not in any pool.`),
    ...[...egress.sources.values()]
      .filter(({ families }) => !families.includes(4))
      .map(({ name }) => `Source ${name} has no IPv4 address and can't reach hosts without IPv6.`),
    ...(catchAll >= 0 && catchAll < egress.routes.length - 1
      ? [`routes[${catchAll}] matches all mail, so later routes are never used.`]
      : []),
  ];
}
