// Holds the operator's changes to the egress, which override its file: suspended sources, and routes that are checked before the
// file's, newest first. Callers commit the rows first.
import type { ShapingContext } from '../shape/context.js';
import { isDeepStrictEqual } from 'node:util';
import { canonicalHost } from '../../lib/dns-answers/index.js';
import { DataProblems } from '../../lib/config/index.js';
import type { OperatorRoute, SuspendedSource } from '../outbound.tables.js';
import { UNLIMITED, type Limit } from '../shape/limit.js';
import type { PathUse } from '../shape/path-limits.js';
import { compileRoute } from './egress-data.rules.js';
import { routeFits, type Egress, type EgressQuestion, type EgressRoute } from './egress.rules.js';

export type SourceKind = SuspendedSource['kind'];

export interface RouteView {
  row: OperatorRoute;
  /** A name that the egress does not have (or no longer has). `null` if the route is in use. */
  problem: string | null;
}

interface KnownRoute extends RouteView {
  /** `null` if the route has a problem and is skipped. */
  route: EgressRoute | null;
}

type OperatorEgressContext = Pick<ShapingContext, 'egress' | 'log'> & {
  providers: Pick<ShapingContext['providers'], 'names'>;
};

export class OperatorEgress {
  readonly #egress: Egress;
  readonly #providerNames: ReadonlySet<string>;
  readonly #suspended = new Map<string, SuspendedSource>();
  /** The newest first. */
  #routes: KnownRoute[];

  constructor(
    { egress, providers, log }: OperatorEgressContext,
    suspended: readonly SuspendedSource[],
    routes: readonly OperatorRoute[],
  ) {
    this.#egress = egress;
    this.#providerNames = providers.names;
    for (const row of suspended) this.suspend(row);
    this.#routes = routes.map((row) => this.#known(row)).sort(byAge);
    for (const { row, problem } of this.#routes) {
      if (problem !== null) log.warn({ route: row.id, problem }, 'operator route skipped');
    }
  }

  /** Applies the rows. Returns false if nothing has changed. */
  replace(suspended: readonly SuspendedSource[], routes: readonly OperatorRoute[]): boolean {
    const known = this.#routes.map(({ row }) => row);
    const byKey = new Map(suspended.map((row) => [sourceKey(row.kind, row.name), row]));
    if (isDeepStrictEqual(byKey, this.#suspended) && isDeepStrictEqual(new Set(routes), new Set(known)))
      return false;
    this.#suspended.clear();
    for (const row of suspended) this.suspend(row);
    this.#routes = routes.map((row) => this.#known(row)).sort(byAge);
    return true;
  }

  // ---- sources ----

  /** `null` if mail may use the source. */
  suspensionOf(kind: SourceKind, name: string, now: number): SuspendedSource | null {
    const row = this.#suspended.get(sourceKey(kind, name));
    return row && isActive(row, now) ? row : null;
  }

  suspend(row: SuspendedSource): void {
    this.#suspended.set(sourceKey(row.kind, row.name), row);
  }

  resume(kind: SourceKind, name: string): void {
    this.#suspended.delete(sourceKey(kind, name));
  }

  /** The limit of paths from suspended sources: a reason to take another way. */
  limit(): Limit<PathUse> {
    return {
      name: 'suspended source',
      check: ({ path: { plan } }, now) => {
        if (this.#suspended.size === 0) return UNLIMITED;
        const row = this.suspensionOf(plan.via, plan.source, now);
        if (!row) return UNLIMITED;
        const detail = `The operator has suspended ${plan.via === 'mta' ? 'the source' : 'the smarthost'} ${row.name}.`;
        const reason = { code: 'source_suspended', until: row.expires_at, detail } as const;
        return { kind: 'closed', reason, isSourceDown: true };
      },
      reserve: () => null,
    };
  }

  // ---- routes ----

  /** Returns the first of the operator's routes that matches the message. `null` if none matches. */
  routeFor(question: EgressQuestion, now: number): EgressRoute | null {
    if (this.#routes.length === 0) return null;
    const asked = { ...question, domain: canonicalHost(question.domain) };
    for (const { route, row } of this.#routes) {
      if (route && isActive(row, now) && routeFits(route, asked)) return route;
    }
    return null;
  }

  /**
   * Returns the route as it would apply, under the id of its row. Throws DataProblems if it names something that the egress does
   * not have.
   */
  compile(rule: unknown, id: string | null = null): EgressRoute {
    return compileRoute(rule, id, this.#egress, this.#providerNames);
  }

  addRoute(row: OperatorRoute): void {
    this.removeRoute(row.id);
    this.#routes = [this.#known(row), ...this.#routes].sort(byAge);
  }

  removeRoute(id: string): void {
    this.#routes = this.#routes.filter(({ row }) => row.id !== id);
  }

  /** Whether a route has a share, active or not. */
  get hasShares(): boolean {
    return this.#routes.some(({ route }) => route !== null && route.share !== null);
  }

  /** Active routes with a share. */
  shared(now: number): EgressRoute[] {
    return this.#routes.flatMap(({ row, route }) =>
      route !== null && route.share !== null && isActive(row, now) ? [route] : [],
    );
  }

  /** The newest first. */
  routes(now: number): RouteView[] {
    return this.#routes.filter(({ row }) => isActive(row, now));
  }

  /** Removes ended suspensions and routes, and returns them. */
  expire(now: number): { sources: SuspendedSource[]; routes: OperatorRoute[] } {
    const sources = [...this.#suspended.values()].filter((row) => !isActive(row, now));
    const routes = this.#routes.flatMap(({ row }) => (isActive(row, now) ? [] : [row]));
    for (const { kind, name } of sources) this.resume(kind, name);
    for (const { id } of routes) this.removeRoute(id);
    return { sources, routes };
  }

  #known(row: OperatorRoute): KnownRoute {
    try {
      return { row, route: this.compile(JSON.parse(row.rule), row.id), problem: null };
    } catch (error) {
      if (!(error instanceof DataProblems)) throw error;
      return { row, route: null, problem: error.problems.join('; ') };
    }
  }
}

function isActive({ expires_at: end }: { expires_at: number | null }, now: number): boolean {
  return end === null || end > now;
}

/** A source and a smarthost may have one name. */
function sourceKey(kind: SourceKind, name: string): string {
  return `${kind} ${name}`;
}

/** Ids begin with their time. */
function byAge(a: KnownRoute, b: KnownRoute): number {
  return a.row.id < b.row.id ? 1 : -1;
}
