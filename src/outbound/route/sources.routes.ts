// GET /v1/sources: what mail leaves by, for the operator.
import { listOf, pageQuery } from '../../contract/lists.js';
import { source, type SourceWire } from './source.schema.js';
import { pageOf } from '../../store/scope.js';
import type { SourceView } from './source-view.js';
import type { Api } from '../../api/api.js';
import { refuseCustomers } from '../../operations/operator.routes.js';
import { listAnswer, readPage } from '../../api/pages.js';
import type { TrafficView } from '../traffic-view.js';
import { presentOverride } from '../schedule/queue.view.js';
import { isoOrNull } from '../../contract/time.js';

// A source of mail as /v1 shows it; credentials of smarthosts are not in what it is made of.
function presentSource(view: SourceView): SourceWire {
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

export interface SourceRouteDeps {
  traffic: Pick<TrafficView, 'sources'>;
}

export function sourceRoutes(app: Api, { traffic }: SourceRouteDeps): void {
  app.get(
    '/v1/sources',
    {
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'sources.list',
        tags: ['Sources'],
        summary: 'List the addresses and smarthosts that mail leaves by, with pools, warm-up and limits',
        description:
          'In the order of their names. Only for people and keys of permission `admin` in the operator’s own workspace, not ' +
          'narrowed to a sub-tenant.',
        querystring: pageQuery,
        response: { 200: listOf(source) },
      },
    },
    (request) => {
      refuseCustomers(request.caller.scope, 'What mail leaves by is for the one who runs the appliance.');
      const { limit, after } = readPage(request);
      const rows = traffic
        .sources()
        .filter((view) => after === null || keyOf(view) > after)
        .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
        .slice(0, limit + 1);
      return listAnswer(request, pageOf(rows, limit, keyOf), presentSource);
    },
  );
}

/** A source and a smarthost may have one name. */
function keyOf({ name, own }: SourceView): string {
  return `${name} ${own === null ? 'smarthost' : 'mta'}`;
}
