// A source of mail as /v1 shows it; credentials of smarthosts are not in what it is made of.
import type { SourceWire } from './source.schema.js';
import type { SourceView } from './source-view.js';
import { presentOverride } from '../schedule/queue.view.js';
import { isoOrNull } from '../../contract/time.js';

export function presentSource(view: SourceView): SourceWire {
  const { name, own, smarthost, closed, warmUp } = view;
  const known = closed?.isCertain === true ? 'closed' : 'suspected';
  return {
    object: 'source',
    name,
    kind: own === null ? 'smarthost' : 'mta',
    ipv4: own?.address4 ?? null,
    ipv6: own?.address6 ?? null,
    ehlo_name: own?.ehloName ?? null,
    smarthost,
    pools: view.pools,
    default: view.isDefault,
    state: closed === null ? 'open' : known,
    closed: closed && { reason: closed.reason, reply: closed.reply, until: isoOrNull(closed.until) },
    warm_up: warmUp && {
      started_on: warmUp.startedOn,
      plan_days: warmUp.days,
      sent_today: warmUp.sent,
      destinations_total: warmUp.destinationCount,
      destinations: warmUp.destinations.map((one) => ({
        destination: one.destination,
        stage: one.stage,
        limit_today: one.limit,
        sent_today: one.sent,
        deferred_today: one.deferred,
        complained_today: one.complained,
        held: one.isHeld,
      })),
    },
    limits_total: view.limitCount,
    limits: view.limits.map((row) => presentOverride(row, true)),
  };
}
