// Limits of a path, as data: by provider, by site and for all others; an operator's object overrides the shipped one.
import { forbiddenAddressReason } from '../../lib/addresses/index.js';
import { readAutomation, type AutomationRule } from './automation.rules.js';
import { canonicalHost } from '../../lib/dns-answers/index.js';
import type { RateLimit } from '../../lib/rate-limits/index.js';
import { type DataReader, type Fields, readOperatorData } from '../../lib/config/index.js';

const MAX_COUNT = 1_000_000;
const MAX_SITES = 10_000;
const MAX_SOURCES = 256;

const LIMIT_KEYS = [
  'connections',
  'connections_max',
  'connection_rate',
  'message_rate',
  'messages_per_connection',
  'idle',
  'tls',
];
const SECTIONS = [
  'defaults',
  'smarthosts',
  'own_network',
  'providers',
  'sites',
  'automation',
  'automation_off',
];

/** Settings of one path: a source (or smarthost) towards a provider or, without one, a site. */
export interface PathLimits {
  /** To begin with; the window grows from here. */
  connections: number;
  connectionsMax: number;
  /** New connections. `null` if there is no limit. */
  connectionRate: RateLimit | null;
  messageRate: RateLimit | null;
  messagesPerConnection: number;
  idleMs: number;
  tls: 'opportunistic' | 'required';
}

interface LimitBlock {
  limits: Partial<PathLimits>;
  /** Different limits for mail from the source of this name. */
  sources: ReadonlyMap<string, Partial<PathLimits>>;
}

export interface Shaping {
  defaults: PathLimits;
  /** By place, such as `defaults` or `providers.google`. */
  blocks: ReadonlyMap<string, LimitBlock>;
  automation: readonly AutomationRule[];
}

/** Network of a path's peers. `own` means private and loopback addresses, which delivery must be allowed to use. */
export type PathNetwork = 'public' | 'own' | 'smarthost';

export interface PathQuestion {
  provider: string | null;
  /** The MX hosts of the site, or the smarthost's name. */
  siteHosts: readonly string[];
  /** Name of the source (or of the smarthost). */
  source: string;
  /** `public` when absent. */
  network?: PathNetwork;
}

/** Settings that replace the shipped defaults. The operator's object overrides them. */
type ShapingBase = Partial<Pick<PathLimits, 'connectionsMax' | 'messagesPerConnection' | 'idleMs'>>;

const FALLBACK: PathLimits = {
  connections: 1,
  connectionsMax: 1,
  connectionRate: null,
  messageRate: null,
  messagesPerConnection: 1,
  idleMs: 0,
  tls: 'opportunistic',
};

/** An explicit null removes a limit of a broader block. */
function rateOrNone(reader: DataReader, value: unknown, place: string): RateLimit | null | undefined {
  return value === null ? null : reader.rate(value, place);
}

function limitsOf(reader: DataReader, fields: Fields, place: string): Partial<PathLimits> {
  const limits: Partial<PathLimits> = {};
  const set = <K extends keyof PathLimits>(
    key: K,
    name: string,
    read: (value: unknown, at: string) => PathLimits[K] | undefined,
  ): void => {
    if (fields[name] === undefined) return;
    const value = read(fields[name], `${place}.${name}`);
    if (value !== undefined) limits[key] = value;
  };
  const count = (value: unknown, at: string): number | undefined =>
    reader.whole(value, at, { min: 1, max: MAX_COUNT });
  set('connections', 'connections', count);
  set('connectionsMax', 'connections_max', count);
  set('connectionRate', 'connection_rate', (value, at) => rateOrNone(reader, value, at));
  set('messageRate', 'message_rate', (value, at) => rateOrNone(reader, value, at));
  set('messagesPerConnection', 'messages_per_connection', count);
  set('idleMs', 'idle', (value, at) => reader.duration(value, at, 0));
  set('tls', 'tls', (value, at) => reader.oneOf(value, at, ['opportunistic', 'required']));
  return limits;
}

function blockOf(reader: DataReader, value: unknown, place: string): LimitBlock {
  const fields = reader.fields(value, place, [...LIMIT_KEYS, 'sources']);
  const sources = new Map<string, Partial<PathLimits>>();
  const given = Object.entries(
    fields['sources'] === undefined ? {} : reader.fields(fields['sources'], `${place}.sources`),
  );
  if (given.length > MAX_SOURCES)
    reader.problem(`${place}.sources`, `must have at most ${MAX_SOURCES} entries`);
  for (const [name, limits] of given) {
    const at = `${place}.sources.${name}`;
    sources.set(name, limitsOf(reader, reader.fields(limits, at, LIMIT_KEYS), at));
  }
  return { limits: limitsOf(reader, fields, place), sources };
}

interface Document {
  blocks: ReadonlyMap<string, LimitBlock>;
  automation: readonly AutomationRule[];
  off: readonly string[];
}

function documentOf(reader: DataReader, json: unknown, providers: ReadonlySet<string>): Document {
  const document = reader.fields(json, 'the whole', SECTIONS);
  const blocks = new Map<string, LimitBlock>();
  for (const section of ['defaults', 'smarthosts', 'own_network']) {
    if (document[section] !== undefined) blocks.set(section, blockOf(reader, document[section], section));
  }
  for (const section of ['providers', 'sites']) {
    const entries = Object.entries(
      document[section] === undefined ? {} : reader.fields(document[section], section),
    );
    if (entries.length > MAX_SITES) reader.problem(section, `must have at most ${MAX_SITES} entries`);
    for (const [name, value] of entries) {
      const place = `${section}.${section === 'sites' ? canonicalHost(name) : name}`;
      if (section === 'providers' && !providers.has(name)) {
        reader.problem(place, `is not a known provider. Known providers: ${[...providers].join(', ')}`);
      }
      blocks.set(place, blockOf(reader, value, place));
    }
  }
  const { automation = [], automation_off: off = [] } = document;
  return {
    blocks,
    automation: readAutomation(reader, automation, 'automation', providers),
    off: reader
      .list(off, 'automation_off', MAX_SITES)
      .flatMap((name, i) => reader.name(name, `automation_off[${i}]`) ?? []),
  };
}

function merged(under: LimitBlock | undefined, over: LimitBlock | undefined): LimitBlock {
  const sources = new Map(under?.sources);
  for (const [name, limits] of over?.sources ?? []) sources.set(name, { ...sources.get(name), ...limits });
  return { limits: { ...under?.limits, ...over?.limits }, sources };
}

/** A start above the maximum would have no effect. If both are in one block, it is a mistake. */
function refuseStartAboveMost(reader: DataReader, limits: Partial<PathLimits>, place: string): void {
  const { connections, connectionsMax } = limits;
  if (connections !== undefined && connectionsMax !== undefined && connections > connectionsMax) {
    reader.problem(place, `has ${connections} connections, which exceeds connections_max ${connectionsMax}`);
  }
}

function allOf(limits: Partial<PathLimits>): limits is PathLimits {
  return (Object.keys(FALLBACK) as (keyof PathLimits)[]).every((key) => limits[key] !== undefined);
}

/**
 * The content of config/shaping.json with an operator's object over it (null: none). Of two rules with one name, and
 * of two that match a reply, the operator's counts. Throws DataProblems.
 */
export function compileShaping(
  shipped: unknown,
  operator: unknown,
  providerNames: ReadonlySet<string>,
  base: ShapingBase = {},
): Shaping {
  const ours = readOperatorData('shipped shaping', (reader) => documentOf(reader, shipped, providerNames));
  const shippedNames = new Set(ours.automation.map(({ name }) => name));
  return readOperatorData('shaping', (reader) => {
    const theirs = operator === null ? null : documentOf(reader, operator, providerNames);
    const blocks = new Map<string, LimitBlock>();
    for (const place of new Set([...ours.blocks.keys(), ...(theirs?.blocks.keys() ?? [])])) {
      const shippedBlock = ours.blocks.get(place);
      const under =
        place === 'defaults' ? merged(shippedBlock, { limits: base, sources: new Map() }) : shippedBlock;
      blocks.set(place, merged(under, theirs?.blocks.get(place)));
    }
    for (const [place, block] of theirs?.blocks ?? []) {
      if (place !== 'defaults' || block.limits.connections !== undefined) {
        refuseStartAboveMost(reader, blocks.get(place)?.limits ?? {}, place);
      }
      for (const [name, limits] of block.sources)
        refuseStartAboveMost(reader, limits, `${place}.sources.${name}`);
    }
    const defaults = blocks.get('defaults')?.limits ?? {};
    if (!allOf(defaults)) reader.problem('defaults', 'must set every limit');
    for (const name of theirs?.off ?? []) {
      if (!shippedNames.has(name))
        reader.problem('automation_off', `refers to "${name}", which is not a built-in rule`);
    }
    const replaced = new Set([...(theirs?.off ?? []), ...(theirs?.automation ?? []).map(({ name }) => name)]);
    return {
      defaults: allOf(defaults) ? defaults : FALLBACK,
      blocks,
      automation: [
        ...(theirs?.automation ?? []),
        ...ours.automation.filter(({ name }) => !replaced.has(name)),
      ],
    };
  });
}

/** The block of the longest ending that all hosts of the site share. */
function siteBlock(shaping: Shaping, siteHosts: readonly string[]): string | null {
  const hosts = siteHosts.map(canonicalHost);
  const [first] = hosts;
  if (first === undefined) return null;
  const labels = first.split('.');
  for (let from = 0; from < labels.length; from += 1) {
    const ending = labels.slice(from).join('.');
    const isOfAll = hosts.every((host) => host === ending || host.endsWith(`.${ending}`));
    if (isOfAll && shaping.blocks.has(`sites.${ending}`)) return `sites.${ending}`;
  }
  return null;
}

/** The parts of the data that speak about a path, the broadest first; a later one counts more. */
export function layersFor(
  shaping: Shaping,
  { provider, siteHosts, source, network = 'public' }: PathQuestion,
): { place: string; limits: Partial<PathLimits> }[] {
  const places = [
    'defaults',
    network === 'smarthost' ? 'smarthosts' : network === 'own' ? 'own_network' : null,
    provider === null ? null : `providers.${provider}`,
    siteBlock(shaping, siteHosts),
  ];
  return places.flatMap((place) => {
    const block = place === null ? undefined : shaping.blocks.get(place);
    if (place === null || !block) return [];
    const ofSource = block.sources.get(source);
    const layer = { place, limits: block.limits };
    return ofSource ? [layer, { place: `${place}.sources.${source}`, limits: ofSource }] : [layer];
  });
}

/** The limits of a path before any override. The start is never above the most. */
export function limitsFor(shaping: Shaping, question: PathQuestion): PathLimits {
  const limits: PathLimits = Object.assign(
    {},
    shaping.defaults,
    ...layersFor(shaping, question).map((layer) => layer.limits),
  ) as PathLimits;
  return { ...limits, connections: Math.min(limits.connections, limits.connectionsMax) };
}

/** Returns the automation rules that apply to a provider's replies. */
export function automationRules(shaping: Shaping, provider: string | null): AutomationRule[] {
  return shaping.automation.filter(
    ({ providers }) => providers === null || (provider !== null && providers.includes(provider)),
  );
}

/** Classifies the network of a site by its hosts' addresses. `own` means that none of them is on the Internet. */
export function classifyNetwork(addresses: readonly string[]): PathNetwork {
  const isOwn = (address: string): boolean =>
    forbiddenAddressReason(address, { allowPrivate: false }) !== null;
  return addresses.length > 0 && addresses.every(isOwn) ? 'own' : 'public';
}
