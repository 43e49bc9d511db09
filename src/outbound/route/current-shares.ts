// Holds the current share of each route that has one. Callers commit the rows first.
import type { RouteShareRow } from '../outbound.tables.js';
import type { EgressRoute } from './egress.rules.js';
import { shareBounds, type ShareBounds } from './share.rules.js';

export interface CurrentShare {
  route: string;
  percent: number;
  bounds: ShareBounds;
}

export class CurrentShares {
  readonly #rows: Map<string, RouteShareRow>;

  constructor(rows: readonly RouteShareRow[]) {
    this.#rows = new Map(rows.map((row) => [row.route, row]));
  }

  replace(rows: readonly RouteShareRow[]): void {
    this.#rows.clear();
    for (const row of rows) this.put(row);
  }

  put(row: RouteShareRow): void {
    this.#rows.set(row.route, row);
  }

  remove(route: string): void {
    this.#rows.delete(route);
  }

  /** `null` before the share is stored. */
  row(route: string): RouteShareRow | null {
    return this.#rows.get(route) ?? null;
  }

  /** `null` for a route without a share. */
  of({ name, share }: EgressRoute): CurrentShare | null {
    if (name === null || share === null) return null;
    const row = this.#rows.get(name);
    if (row === undefined)
      return { route: name, percent: share.percent, bounds: shareBounds(share.percent, 0, null) };
    const bounds = { engagedBelow: row.engaged_below, othersBelow: row.others_below };
    return { route: name, percent: row.percent, bounds };
  }
}
