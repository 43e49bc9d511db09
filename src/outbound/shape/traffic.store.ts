// Stored state of the traffic shaper: active limits, pauses, names of tenants, limiter states.
import type { Engine } from '../../store/engine/engine.js';
import type { DestinationPause, LimitOverride, OperatorRoute, SuspendedSource } from '../outbound.tables.js';

export interface TrafficStore {
  /** Overrides that are still active at `now`. */
  overrides(now: number): Promise<LimitOverride[]>;
  pauses(): Promise<DestinationPause[]>;
  suspendedSources(): Promise<SuspendedSource[]>;
  operatorRoutes(): Promise<OperatorRoute[]>;
  /** Sub-tenants that the workspace knows by an id of its own. */
  externalIds(): Promise<{ id: string; externalId: string }[]>;
  /** By key, without what was not touched since `since`. */
  states(since: number): Promise<Map<string, string>>;
}

export function createTrafficStore({ read }: Engine): TrafficStore {
  return {
    overrides: (now) =>
      read.selectFrom('overrides').selectAll().where('expires_at', '>', now).orderBy('id').execute(),
    pauses: () => read.selectFrom('destination_pauses').selectAll().execute(),
    suspendedSources: () => read.selectFrom('suspended_sources').selectAll().execute(),
    operatorRoutes: () => read.selectFrom('operator_routes').selectAll().execute(),
    async externalIds() {
      const rows = await read
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
      const rows = await read
        .selectFrom('traffic_state')
        .select(['key', 'state'])
        .where('updated_at', '>', since)
        .execute();
      return new Map(rows.map(({ key, state }) => [key, state]));
    },
  };
}
