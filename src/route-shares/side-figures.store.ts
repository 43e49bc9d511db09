// Figures of both sides of routes with a share, from the counters of all workspaces' live mail.
import { noSums, type Sums } from '../analytics/analytics.schema.js';
import { routeSideKey } from '../analytics/counters.store.js';
import { countedRows } from '../analytics/statistics-groups.store.js';
import { ALL_TENANTS } from '../analytics/statistics.store.js';
import { ROUTE_SIDES, type RouteSide } from '../contract/names.js';
import type { Engine } from '../database/engine/engine.js';
import { inList } from '../database/sql.js';

const BY_SIDE = (marks: string): string => `SELECT value, 0 AS unit, measure, SUM(n) AS n FROM stat_groups
  WHERE environment_id IN (SELECT id FROM environments WHERE mode = 'live') AND sub_tenant_key = ?
    AND dimension = 'route' AND day >= ? AND value IN (${marks}) GROUP BY value, measure`;

export type SideFigures = Record<RouteSide, Sums>;
export type SideFiguresStore = ReturnType<typeof createSideFiguresStore>;

export function createSideFiguresStore(engine: Engine) {
  return {
    /** Sums of the route's mail from `fromDay` (days since the epoch, UTC) on. */
    async ofRoute(route: string, fromDay: number): Promise<SideFigures> {
      const { marks, values } = inList(ROUTE_SIDES.map((side) => routeSideKey(route, side)));
      const rows = await countedRows(engine, BY_SIDE(marks), [ALL_TENANTS, fromDay, ...values.map(String)]);
      const sums = (side: RouteSide): Sums =>
        rows.find(({ value }) => value === routeSideKey(route, side))?.sums ?? noSums();
      return { direct: sums('direct'), smarthost: sums('smarthost') };
    },
  };
}
