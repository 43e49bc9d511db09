// View of the egress for the operator: sources and smarthosts with their pools, the warm-up of each, and the reason when one is
// closed.
import type { ShapingContext } from '../shape/context.js';
import type { EgressSource } from './egress.rules.js';
import { DEFAULT_WARM_UP, warmUpStage, warmUpToday, type WarmUpState } from '../shape/warm-up.rules.js';
import { PORT_RULE } from '../shape/blocked-ports.js';
import { BREAKER_RULE } from '../shape/circuit-breakers.js';
import { WARM_UP_KEY } from '../shape/path-limits.js';
import { smarthostSite } from './egress-pools.js';
import type { SourceKind } from './operator-egress.js';
import type { LimitOverride } from '../outbound.tables.js';

/** Number of limits and of warm-up destinations that are shown. */
const MAX_SHOWN = 50;
/** The site of limits that apply to a source as a whole. */
const EVERYWHERE = '*';

interface WarmingDestination {
  /** A provider, or the mail hosts of a site. */
  destination: string;
  /** Days of the plan that are done. */
  stage: number;
  /** Limit of this UTC day. `null` if the source is warmed up. */
  limit: number | null;
  sent: number;
  deferred: number;
  complained: number;
  /** Tomorrow has the same limit, for today's answers. */
  isHeld: boolean;
}

export interface SourceView {
  name: string;
  pools: { name: string; weight: number }[];
  /** Mail that no route is for leaves by it. */
  isDefault: boolean;
  /** One of the server's own sources, or another operator's server that relays mail. */
  own: Pick<EgressSource, 'address4' | 'address6' | 'ehloName'> | null;
  smarthost: { host: string; port: number; tls: 'opportunistic' | 'required' | 'implicit' } | null;
  /** Why nothing leaves by it. `until`: when it is tried again, epoch ms. */
  closed: { isCertain: boolean; reason: string; reply: string; until: number | null } | null;
  /** Set by the operator. `until` is in epoch ms. */
  suspended: { reason: string; since: number; until: number | null } | null;
  /** `null` if it needs none. */
  warmUp: {
    startedOn: string;
    /** Of the plan. */
    days: number;
    /** Today, to all destinations. */
    sent: number;
    destinationCount: number;
    /** Destinations with the most mail today. */
    destinations: WarmingDestination[];
  } | null;
  limitCount: number;
  /** On its paths, the newest first. */
  limits: LimitOverride[];
}

type SourcesContext = Pick<ShapingContext, 'egress' | 'operator' | 'counters' | 'clock'>;

/** All sources and smarthosts; `overrides` are the limits on all paths. */
export function viewSources(context: SourcesContext, overrides: readonly LimitOverride[]): SourceView[] {
  const { egress } = context;
  const bySource = new Map<string, LimitOverride[]>();
  for (const row of overrides) {
    const known = bySource.get(row.source);
    if (known) known.push(row);
    else bySource.set(row.source, [row]);
  }
  const warming = warmingBySource(context);
  const isDefault = (kind: 'pool' | 'smarthost', named: (name: string) => boolean): boolean =>
    egress.default.some((via) => via.kind === kind && named(via.kind === 'pool' ? via.pool : via.name));
  const own = [...egress.sources.values()].map((source): SourceView => {
    const { name, address4, address6, ehloName } = source;
    const pools = [...egress.pools].flatMap(([pool, members]) =>
      members.filter((member) => member.source === name).map(({ weight }) => ({ name: pool, weight })),
    );
    return {
      name,
      pools,
      isDefault: isDefault('pool', (pool) => pools.some((one) => one.name === pool)),
      own: { address4, address6, ehloName },
      smarthost: null,
      suspended: viewSuspension(context, 'mta', name),
      warmUp: viewWarmUp(source, warming.get(name) ?? [], context.clock()),
      ...viewLimits(name, true, bySource.get(name) ?? []),
    };
  });
  const handed = [...egress.smarthosts].map(([name, { host, port, tlsMode }]): SourceView => ({
    name,
    pools: [],
    isDefault: isDefault('smarthost', (other) => other === name),
    own: null,
    smarthost: { host, port, tls: tlsMode },
    suspended: viewSuspension(context, 'smarthost', name),
    warmUp: null,
    ...viewLimits(name, false, bySource.get(name) ?? []),
  }));
  return [...own, ...handed];
}

function viewSuspension(
  { operator, clock }: SourcesContext,
  kind: SourceKind,
  name: string,
): SourceView['suspended'] {
  const row = operator.suspensionOf(kind, name, clock());
  return row && { reason: row.reason, since: row.created_at, until: row.expires_at };
}

interface Warming {
  destination: string;
  state: WarmUpState;
}

function warmingBySource({ counters }: SourcesContext): Map<string, Warming[]> {
  const found = new Map<string, Warming[]>();
  for (const [key, state] of counters.entries(WARM_UP_KEY)) {
    const path = key.slice(WARM_UP_KEY.length);
    const [source = '', ...destination] = path.split(' > ');
    const known = found.get(source) ?? [];
    known.push({ destination: destination.join(' > '), state: state as WarmUpState });
    found.set(source, known);
  }
  return found;
}

function viewWarmUp({ warmUp }: EgressSource, states: readonly Warming[], now: number): SourceView['warmUp'] {
  if (warmUp === null) return null;
  const plan = warmUp.dailyCaps ? { dailyCaps: warmUp.dailyCaps } : DEFAULT_WARM_UP;
  const destinations = states
    .map(({ destination, state }): WarmingDestination => {
      const { stage, cap, isHeld } = warmUpStage(state, plan, now);
      const { sends: sent, deferred, complained } = warmUpToday(state, now);
      return { destination, stage, limit: cap, sent, deferred, complained, isHeld };
    })
    .sort((a, b) => b.sent - a.sent || a.destination.localeCompare(b.destination));
  return {
    startedOn: warmUp.startedOn,
    days: plan.dailyCaps.length,
    sent: destinations.reduce((sum, { sent }) => sum + sent, 0),
    destinationCount: destinations.length,
    destinations: destinations.slice(0, MAX_SHOWN),
  };
}

/** A source and a smarthost may have the same name, so the site distinguishes their rows. */
function viewLimits(name: string, isOwn: boolean, ofName: readonly LimitOverride[]) {
  const handed = smarthostSite(name);
  const rows = ofName.filter((row) => (row.site === handed) !== isOwn);
  const site = isOwn ? EVERYWHERE : handed;
  const closing = rows.find((row) => row.site === site && [PORT_RULE, BREAKER_RULE].includes(row.rule));
  return {
    closed: closing === undefined ? null : closedBy(closing),
    limitCount: rows.length,
    limits: rows.toSorted((a, b) => b.created_at - a.created_at).slice(0, MAX_SHOWN),
  };
}

function closedBy({ rule, value, reason, reply }: LimitOverride): NonNullable<SourceView['closed']> {
  // As blocked-ports.ts and circuit-breakers.ts write them.
  const stored = JSON.parse(value) as { until?: number; certainty?: string; openUntil?: number | null };
  return {
    isCertain: rule === BREAKER_RULE || stored.certainty === 'blocked',
    reason,
    reply,
    until: stored.until ?? stored.openUntil ?? null,
  };
}
