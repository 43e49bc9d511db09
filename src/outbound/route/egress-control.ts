// Lets the operator control the running egress: suspend and resume sources, and add and remove routes. Changes apply immediately,
// even to mail that waits for a session. Callers commit the rows first.
import type { TrafficView } from '../traffic-view.js';
import type { ShapingContext } from '../shape/context.js';
import type { Clock, Log } from '../../lib/runtime/index.js';
import {
  type OperatorRoute,
  type RouteShareRow,
  type SuspendedSource,
  routeShares,
  suspendedSources,
  operatorRoutes,
} from '../outbound.tables.js';
import type { QueueKey } from '../schedule/queue.store.js';
import { typeOfRank } from '../../messages/queue-rank.rules.js';
import type { WakeUp } from '../schedule/wake-up.js';
import type { Paths } from '../shape/paths.js';
import type { CurrentShares } from './current-shares.js';
import { routeFits, type Egress, type EgressRoute, type RisePlan } from './egress.rules.js';
import { firstShare } from './share.rules.js';
import type { OperatorEgress, RouteView, SourceKind } from './operator-egress.js';
import type { Plan } from '../../database/change.js';
import { remove } from '../../database/rows.js';

type EgressControlContext = Pick<
  ShapingContext,
  'egress' | 'operator' | 'shares' | 'externalIds' | 'commit' | 'wakeUp' | 'clock' | 'log'
> & {
  paths: Pick<Paths, 'recall'>;
};

/** A route with a share, and the current share. */
export interface SharedRoute {
  name: string;
  route: EgressRoute;
  rise: RisePlan | null;
  row: RouteShareRow;
}

export class EgressControl {
  readonly #egress: Egress;
  readonly #operator: OperatorEgress;
  readonly #shares: CurrentShares;
  readonly #paths: Pick<Paths, 'recall'>;
  readonly #externalIds: ReadonlyMap<string, string>;
  readonly #providerOf: TrafficView['providerOf'];
  readonly #commit: (plan: Plan) => Promise<unknown>;
  readonly #wakeUp: WakeUp;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(
    { egress, operator, shares, paths, externalIds, commit, wakeUp, clock, log }: EgressControlContext,
    providerOf: TrafficView['providerOf'],
  ) {
    this.#egress = egress;
    this.#operator = operator;
    this.#shares = shares;
    this.#paths = paths;
    this.#externalIds = externalIds;
    this.#providerOf = providerOf;
    this.#commit = commit;
    this.#wakeUp = wakeUp;
    this.#clock = clock;
    this.#log = log;
  }

  suspend(row: SuspendedSource): void {
    this.#operator.suspend(row);
    this.#paths.recall({ via: row.kind, name: row.name });
    this.#wakeUp.notify();
  }

  resume(kind: SourceKind, name: string): void {
    this.#operator.resume(kind, name);
    this.#wakeUp.notify();
  }

  /** The operator's routes, the newest first. */
  routes(): RouteView[] {
    return this.#operator.routes(this.#clock());
  }

  /** Throws DataProblems when the route does not fit the egress. `rule`: as a route of the file is written. */
  compile(rule: unknown): EgressRoute {
    return this.#operator.compile(rule);
  }

  /** Routes with a share, the operator's before those of the file. */
  shares(): SharedRoute[] {
    return [...this.#operator.shared(this.#clock()), ...this.#egress.routes].flatMap((route) => {
      const { name, share } = route;
      if (name === null || share === null) return [];
      return [
        {
          name,
          route,
          rise: share.rise,
          row: this.#shares.row(name) ?? firstShare(name, share.percent, 0, 0),
        },
      ];
    });
  }

  putShare(row: RouteShareRow): void {
    this.#shares.put(row);
    this.#wakeUp.notify();
  }

  /** `share`: the row of a route with a share. */
  addRoute(row: OperatorRoute, share: RouteShareRow | null): void {
    if (share !== null) this.#shares.put(share);
    this.#operator.addRoute(row);
    this.#paths.recall();
    this.#wakeUp.notify();
  }

  removeRoute(id: string): void {
    this.#operator.removeRoute(id);
    this.#shares.remove(id);
    this.#paths.recall();
    this.#wakeUp.notify();
  }

  /** Whether the route may be for mail of the queue: all its criteria but the tags, which a queue does not know. */
  mayFit(route: EgressRoute, { domain, subTenantKey, rank }: QueueKey): boolean {
    const tenant = subTenantKey === '' ? null : subTenantKey;
    const tenantExternalId = tenant === null ? null : (this.#externalIds.get(tenant) ?? null);
    const question = {
      domain,
      tenant,
      tenantExternalId,
      provider: this.#providerOf(domain),
      type: typeOfRank(rank),
    };
    return routeFits({ ...route, tags: null }, question);
  }

  /** Removes suspensions and routes whose end has come. */
  tick() {
    const { sources, routes } = this.#operator.expire(this.#clock());
    if (sources.length === 0 && routes.length === 0) return;
    for (const { kind, name } of sources) this.#log.info({ source: name, kind }, 'source suspension expired');
    for (const { id } of routes) this.#log.info({ route: id }, 'operator route expired');
    if (routes.length > 0) this.#paths.recall();
    this.#wakeUp.notify();
    this.#commit([
      // Checks the end time, because the source may have been suspended again in the meantime.
      ...sources.map(({ kind, name, expires_at }) =>
        remove(suspendedSources, { where: { kind, name, expires_at } }),
      ),
      ...routes.flatMap(({ id }) => [
        remove(operatorRoutes, { where: { id } }),
        remove(routeShares, { where: { route: id } }),
      ]),
    ]).catch((error: unknown) =>
      this.#log.error({ err: error }, 'deleting expired suspensions and routes failed'),
    );
  }
}
