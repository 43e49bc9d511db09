// Describes how mail leaves: sources, pools of sources and smarthosts, and the routes that choose among them by tenant, domain or
// kind of mail.
import type { MessageType } from '../../contract/names.js';
import { type AddressFamily, canonicalHost } from '../../lib/dns-answers/index.js';
import type { Smarthost } from './smarthost.rules.js';
import type { Source } from './source-addresses.rules.js';

export interface EgressSource extends Source {
  /** A new address that may send little at first; `dailyCaps` null: the shipped plan. */
  warmUp: { startedOn: string; dailyCaps: readonly number[] | null } | null;
}

export interface PoolMember {
  source: string;
  weight: number;
}

export type Via = { kind: 'pool'; pool: string } | { kind: 'smarthost'; name: string };

/** A share of a route's mail that rises automatically. */
export interface RisePlan {
  /** Percent that are added each time. */
  step: number;
  /** Time (ms) between two steps. */
  everyMs: number;
  /** Percent at which the share stays. */
  until: number;
}

/** The percentage of a route's mail that is delivered through the pools in `via`. The rest is delivered through its smarthosts. */
export interface RouteShare {
  /** Percentage until it is changed. The current one is a row. */
  percent: number;
  rise: RisePlan | null;
}

export interface EgressRoute {
  /** Key of the current share. `null` if the route has none. */
  name: string | null;
  /** All given criteria must match, each by at least one of its values. */
  tenants: readonly string[] | null;
  domains: readonly string[] | null;
  providers: readonly string[] | null;
  types: readonly MessageType[] | null;
  tags: readonly string[] | null;
  via: readonly Via[];
  share: RouteShare | null;
}

export interface Egress {
  sources: ReadonlyMap<string, EgressSource>;
  pools: ReadonlyMap<string, readonly PoolMember[]>;
  smarthosts: ReadonlyMap<string, Smarthost>;
  /** The first that fits counts. */
  routes: readonly EgressRoute[];
  default: readonly Via[];
  /** Pool or smarthost for mail beyond today's limit of a warming source. `null` if such mail waits. */
  overflow: Via | null;
  /** Warnings, one sentence each, about settings that are allowed and were probably not meant. */
  notes: readonly string[];
}

export interface EgressQuestion {
  /** The sub-tenant's id. `null` for the workspace's own mail. */
  tenant: string | null;
  /** The operator's own id of the sub-tenant. */
  tenantExternalId?: string | null;
  /** Of the recipient. */
  domain: string;
  provider: string | null;
  type: MessageType;
  /** Of the message. */
  tags?: readonly string[];
}

/** The ways of a message, the first to be tried first; never empty. */
export function viasFor(egress: Egress, question: EgressQuestion): readonly Via[] {
  return routeFor(egress, question)?.via ?? egress.default;
}

/** Returns the first matching route; null if the default applies. */
export function routeFor(egress: Egress, question: EgressQuestion): EgressRoute | null {
  const index = routeIndexFor(egress, question);
  return index === null ? null : (egress.routes[index] ?? null);
}

/** Returns which of the routes matches; null if none does, so that the default applies. */
export function routeIndexFor(egress: Egress, question: EgressQuestion): number | null {
  const domain = canonicalHost(question.domain);
  const index = egress.routes.findIndex((route) => routeFits(route, { ...question, domain }));
  return index === -1 ? null : index;
}

/** Whether each of the route's criteria holds. `domain` is to be in its canonical form. */
export function routeFits(
  route: Omit<EgressRoute, 'name' | 'via' | 'share'>,
  { domain, tenant, tenantExternalId = null, provider, type, tags = [] }: EgressQuestion,
): boolean {
  return (
    (route.tenants === null ||
      [tenant, tenantExternalId].some((id) => id !== null && route.tenants?.includes(id))) &&
    (route.domains === null || route.domains.some((pattern) => isOf(domain, pattern))) &&
    (route.providers === null || (provider !== null && route.providers.includes(provider))) &&
    (route.types === null || route.types.includes(type)) &&
    (route.tags === null || tags.some((tag) => route.tags?.includes(tag)))
  );
}

/**
 * Returns the members of a pool that can reach one of these families. For example, an IPv6 source cannot reach a host without IPv6.
 */
export function membersFor(egress: Egress, pool: string, families: readonly AddressFamily[]): PoolMember[] {
  return (egress.pools.get(pool) ?? []).filter(({ source }) =>
    egress.sources.get(source)?.families.some((family) => families.includes(family)),
  );
}

/** One member by weight; `random` from 0 up to but not including 1. There must be a member. */
export function pickSource(members: readonly PoolMember[], random: number): string {
  let left = random * members.reduce((sum, { weight }) => sum + weight, 0);
  for (const { source, weight } of members) {
    left -= weight;
    if (left < 0) return source;
  }
  const last = members.at(-1);
  if (!last) throw new Error('a pool without members has no source');
  return last.source;
}

/** `*.example.com` is every name below example.com, and not itself. */
function isOf(domain: string, pattern: string): boolean {
  return pattern.startsWith('*.') ? domain.endsWith(pattern.slice(1)) : domain === pattern;
}
