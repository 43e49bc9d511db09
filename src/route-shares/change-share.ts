// Changes the share of a route, by a person or automatically.
import type { Change } from '../database/change.js';
import { update } from '../database/rows.js';
import type { SharedRoute } from '../outbound/route/egress-control.js';
import { type DirectCounts, NO_COUNTS, shareBounds } from '../outbound/route/share.rules.js';
import { routeShares, type RouteShareRow } from '../outbound/outbound.tables.js';
import type { RouteShareContext } from './context.js';
import { JUDGED_MS } from './rise.rules.js';

const DAY_MS = 86_400_000;

export interface ShareChange {
  percent: number;
  state: RouteShareRow['state'];
  reason: string;
}

/**
 * Changes a share and returns its row. `also` is committed with it. Refused with `conflict` if the share has changed since it was
 * read. While a share rises, no recipient returns to the smarthost.
 */
export async function changeShare(
  context: Omit<RouteShareContext, 'log'>,
  { name, row: former }: SharedRoute,
  { percent, state, reason }: ShareChange,
  also: readonly Change[] = [],
): Promise<RouteShareRow> {
  const { store, control, engagement, clock } = context;
  const now = clock();
  const bounds = { engagedBelow: former.engaged_below, othersBelow: former.others_below };
  const next =
    percent === former.percent
      ? bounds
      : shareBounds(percent, await engagement.shareOfMail(), percent > former.percent ? bounds : null);
  const today = await store.sideFigures.ofRoute(name, Math.floor(now / DAY_MS));
  const row: RouteShareRow = {
    route: name,
    percent,
    engaged_below: next.engagedBelow,
    others_below: next.othersBelow,
    state,
    reason,
    changed_at: now,
    counted_before: JSON.stringify(countsOf(today.direct)),
  };
  const { route, ...set } = row;
  const where = { route, percent: former.percent, state: former.state, changed_at: former.changed_at };
  await store.commit([
    update(routeShares, {
      set,
      where,
      otherwise: { code: 'conflict', message: 'The share was changed at the same time. Fetch it again.' },
    }),
    ...also,
  ]);
  control.putShare(row);
  return row;
}

/** Counts the direct mail since the last change, within the evaluated period. */
export async function countJudged(
  { store, clock }: Pick<RouteShareContext, 'store' | 'clock'>,
  { route, changed_at: changedAt, counted_before: before }: RouteShareRow,
): Promise<DirectCounts> {
  const changeDay = Math.floor(changedAt / DAY_MS);
  const fromDay = Math.max(changeDay, Math.floor((clock() - JUDGED_MS) / DAY_MS) + 1);
  const counts = countsOf((await store.sideFigures.ofRoute(route, fromDay)).direct);
  const earlier = fromDay === changeDay ? (JSON.parse(before) as DirectCounts) : NO_COUNTS;
  // The counts of a day decrease when a workspace is deleted, and when the clock is set back over midnight.
  const since = (name: keyof DirectCounts): number => Math.max(counts[name] - earlier[name], 0);
  return { sent: since('sent'), bounced: since('bounced'), complained: since('complained') };
}

function countsOf({ sent, bounced, complained }: DirectCounts): DirectCounts {
  return { sent, bounced, complained };
}
