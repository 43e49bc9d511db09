// Shares of routes as /v1 shows them.
import type { Sums } from '../analytics/analytics.schema.js';
import type { RouteSide } from '../contract/names.js';
import { share as rateOf } from '../contract/rates.js';
import { iso, isoOrNull } from '../contract/time.js';
import type { SharedRoute } from '../outbound/route/egress-control.js';
import type { Via } from '../outbound/route/egress.rules.js';
import { viasOnSide, type DirectCounts } from '../outbound/route/share.rules.js';
import { complaintRate, decideRise } from './rise.rules.js';
import type { RouteShareWire, SideFiguresWire } from './route-shares.schema.js';
import type { SideFigures } from './side-figures.store.js';

const DAY_MS = 86_400_000;

interface ShareFacts {
  shared: SharedRoute;
  figures: SideFigures;
  windowDays: number;
  /** Direct mail since the last change. */
  judged: DirectCounts;
  now: number;
}

export function presentShare({ shared, figures, windowDays, judged, now }: ShareFacts): RouteShareWire {
  const { name, route, row } = shared;
  return {
    object: 'route_share',
    route: name,
    percent: row.percent,
    state: row.state,
    reason: row.reason,
    changed_at: iso(row.changed_at),
    rise: presentRise(shared, judged, now),
    window_days: windowDays,
    direct: presentSide(route.via, 'direct', figures.direct),
    smarthost: presentSide(route.via, 'smarthost', figures.smarthost),
  };
}

function presentRise({ rise, row }: SharedRoute, judged: DirectCounts, now: number): RouteShareWire['rise'] {
  if (rise === null) return null;
  const { step, everyMs, until } = rise;
  const decision = decideRise(row, rise, judged, now);
  const hasNext = row.state === 'active' && row.percent < until;
  return {
    step,
    every_days: everyMs / DAY_MS,
    until,
    next_percent: hasNext ? Math.min(row.percent + step, until) : null,
    next_at: isoOrNull(hasNext ? Math.max(row.changed_at + everyMs, now) : null),
    waits_for: decision.kind === 'keep' ? decision.waitsFor : null,
  };
}

function presentSide(vias: readonly Via[], side: RouteSide, sums: Sums): SideFiguresWire {
  const { sent, delivered, deferred, bounced, complained, opened } = sums;
  return {
    via: viasOnSide(vias, side).map((via) =>
      via.kind === 'pool' ? `pool:${via.pool}` : `smarthost:${via.name}`,
    ),
    ...{ sent, delivered, deferred, bounced, complained, opened },
    rates: {
      // Most smarthosts report no delivery at all.
      delivery: side === 'smarthost' && delivered === 0 ? null : rateOf(delivered, sent),
      deferral: rateOf(deferred, sent),
      bounce: rateOf(bounced, sent),
      complaint: complaintRate(sums),
      open: rateOf(opened, sent),
    },
  };
}
