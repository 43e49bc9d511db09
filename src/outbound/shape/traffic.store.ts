// Stored state of the traffic shaper: active limits, pauses, names of tenants, limiter states.
import type { Engine } from '../../database/engine/engine.js';
import type { TablesOf } from '../../database/columns.js';
import type { subTenants } from '../../tenants/tenants.tables.js';
import type {
  DestinationPause,
  destinationPauses,
  LimitOverride,
  OperatorRoute,
  operatorRoutes,
  overrides,
  RouteShareRow,
  routeShares,
  SuspendedSource,
  suspendedSources,
  trafficState,
} from '../outbound.tables.js';

type Known = TablesOf<
  | typeof destinationPauses
  | typeof operatorRoutes
  | typeof overrides
  | typeof routeShares
  | typeof subTenants
  | typeof suspendedSources
  | typeof trafficState
>;

export interface TrafficStore {
  /** Overrides that are still active at `now`. */
  overrides(now: number): Promise<LimitOverride[]>;
  pauses(): Promise<DestinationPause[]>;
  suspendedSources(): Promise<SuspendedSource[]>;
  operatorRoutes(): Promise<OperatorRoute[]>;
  routeShares(): Promise<RouteShareRow[]>;
  /** Sub-tenants for which the workspace has an external id. */
  externalIds(): Promise<{ id: string; externalId: string }[]>;
  /** By key, without entries that were not used since `since`. */
  states(since: number): Promise<Map<string, string>>;
}

export function createTrafficStore(engine: Engine): TrafficStore {
  const db = engine.read.$extendTables<Known>();
  return {
    overrides: (now) =>
      db.selectFrom('overrides').selectAll().where('expires_at', '>', now).orderBy('id').execute(),
    pauses: () => db.selectFrom('destination_pauses').selectAll().execute(),
    suspendedSources: () => db.selectFrom('suspended_sources').selectAll().execute(),
    operatorRoutes: () => db.selectFrom('operator_routes').selectAll().execute(),
    routeShares: () => db.selectFrom('route_shares').selectAll().execute(),
    async externalIds() {
      const rows = await db
        .selectFrom('sub_tenants')
        .select(['id', 'external_id'])
        .where('external_id', 'is not', null)
        .where('deleted_at', 'is', null)
        .execute();
      return rows.flatMap(({ id, external_id: externalId }) =>
        externalId === null ? [] : [{ id, externalId }],
      );
    },
    async states(since) {
      const rows = await db
        .selectFrom('traffic_state')
        .select(['key', 'state'])
        .where('updated_at', '>', since)
        .execute();
      return new Map(rows.map(({ key, state }) => [key, state]));
    },
  };
}
