// The operator's control of the running egress: suspends and resumes sources, adds and removes routes, at once also for mail
// that waits for a session. The rows are committed before.
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import {
  type OperatorRoute,
  type SuspendedSource,
  suspendedSources,
  operatorRoutes,
} from '../outbound.tables.js';
import type { QueueKey } from '../schedule/queue.store.js';
import { typeOfRank } from '../../messages/queue-rank.rules.js';
import type { WakeUp } from '../schedule/wake-up.js';
import type { Paths } from '../shape/paths.js';
import { routeFits, type EgressRoute } from './egress.rules.js';
import type { OperatorEgress, RouteView, SourceKind } from './operator-egress.js';
import type { Plan } from '../../database/change.js';
import { remove } from '../../database/rows.js';

export interface EgressControl {
  suspend(row: SuspendedSource): void;
  resume(kind: SourceKind, name: string): void;
  /** The operator's routes, the newest first. */
  routes(): RouteView[];
  /** Throws DataProblems when the route does not fit the egress. `rule`: as a route of the file is written. */
  compile(rule: unknown): EgressRoute;
  addRoute(row: OperatorRoute): void;
  removeRoute(id: string): void;
  /** Whether the route may be for mail of the queue: all its criteria but the tags, which a queue does not know. */
  mayFit(route: EgressRoute, queue: QueueKey): boolean;
}

export interface EgressControlDeps {
  operator: OperatorEgress;
  paths: Pick<Paths, 'recall'>;
  /** By sub-tenant: the operator's own id of it. */
  externalIds: ReadonlyMap<string, string>;
  /** As far as a route to the domain was looked up lately. */
  providerOf: (domain: string) => string | null;
  commit: (plan: Plan) => Promise<unknown>;
  wakeUp: WakeUp;
  clock: Clock;
  log: Log;
}

export function createEgressControl(deps: EgressControlDeps): EgressControl & { tick(): void } {
  const { operator, paths, externalIds, providerOf, commit, wakeUp, clock, log } = deps;

  return {
    suspend(row) {
      operator.suspend(row);
      paths.recall({ via: row.kind, name: row.name });
      wakeUp.notify();
    },
    resume(kind, name) {
      operator.resume(kind, name);
      wakeUp.notify();
    },
    routes: () => operator.routes(clock()),
    compile: (rule) => operator.compile(rule),
    addRoute(row) {
      operator.addRoute(row);
      paths.recall();
      wakeUp.notify();
    },
    removeRoute(id) {
      operator.removeRoute(id);
      paths.recall();
      wakeUp.notify();
    },
    mayFit(route, { domain, subTenantKey, rank }) {
      const tenant = subTenantKey === '' ? null : subTenantKey;
      const tenantExternalId = tenant === null ? null : (externalIds.get(tenant) ?? null);
      const question = {
        domain,
        tenant,
        tenantExternalId,
        provider: providerOf(domain),
        type: typeOfRank(rank),
      };
      return routeFits({ ...route, tags: null }, question);
    },
    /** Ends what is to end by now. */
    tick() {
      const { sources, routes } = operator.expire(clock());
      if (sources.length === 0 && routes.length === 0) return;
      for (const { kind, name } of sources) log.info({ source: name, kind }, 'source suspension expired');
      for (const { id } of routes) log.info({ route: id }, 'operator route expired');
      if (routes.length > 0) paths.recall();
      wakeUp.notify();
      commit([
        // The end is named: it may have been suspended anew meanwhile.
        ...sources.map(({ kind, name, expires_at }) =>
          remove(suspendedSources, { where: { kind, name, expires_at } }),
        ),
        ...routes.map(({ id }) => remove(operatorRoutes, { where: { id } })),
      ]).catch((error: unknown) =>
        log.error({ err: error }, 'deleting expired suspensions and routes failed'),
      );
    },
  };
}
