// GET /v1/sources: what mail leaves by, for the operator.
import { listOf, pageQuery } from '../../contract/lists.js';
import { pageOf } from '../../store/scope.js';
import type { SourceView } from './source-view.js';
import type { Api } from '../../api/api.js';
import { refuseCustomers } from '../../operations/operator.routes.js';
import { listAnswer, readPage } from '../../api/lists/pages.js';
import type { TrafficView } from '../traffic-view.js';
import { presentOverride } from '../schedule/queue.view.js';
import { isoOrNull } from '../../contract/time.js';
import { Type, type Static } from 'typebox';
import { queueOverride } from '../schedule/queue.schema.js';
import { nameEnums, nameSchemas, nullable, oneOf } from '../../contract/schema.js';

// Routes of the egress: sources and smarthosts with pools, warm-up, and the reason when one is closed.
const SOURCE_KINDS = ['mta', 'smarthost'] as const;
const SOURCE_STATES = ['open', 'suspected', 'closed'] as const;
const SMARTHOST_TLS = ['opportunistic', 'required', 'implicit'] as const;

const warmUpDestination = Type.Object({
  destination: Type.String({ description: 'A provider, or the mail hosts of a site.' }),
  stage: Type.Integer({ description: 'Days of the plan that are done.' }),
  limit_today: nullable(Type.Integer({ description: 'Of this UTC day; null: it is warmed up.' })),
  sent_today: Type.Integer(),
  deferred_today: Type.Integer(),
  complained_today: Type.Integer(),
  held: Type.Boolean({ description: 'Tomorrow has the same limit, for what was answered today.' }),
});

const warmUp = Type.Object({
  started_on: Type.String({ format: 'date' }),
  plan_days: Type.Integer({
    description: 'Number of days with mail after which a destination has no limit any more.',
  }),
  sent_today: Type.Integer({ description: 'To all destinations.' }),
  destinations_total: Type.Integer(),
  destinations: Type.Array(warmUpDestination, {
    description: 'The 50 destinations with the most mail today.',
  }),
});

const smarthost = Type.Object({
  host: Type.String(),
  port: Type.Integer(),
  tls: oneOf(SMARTHOST_TLS),
});

const closed = Type.Object({
  reason: Type.String(),
  reply: Type.String({ description: 'What was observed, such as the error of the connection.' }),
  until: nullable(Type.String({ format: 'date-time', description: 'When it is tried again.' })),
});

const source = Type.Object(
  {
    object: Type.Literal('source'),
    name: Type.String(),
    kind: oneOf(SOURCE_KINDS, { description: '`mta`: mail goes to the mail hosts of recipients from here.' }),
    ipv4: nullable(
      Type.String({ description: 'Null: the system chooses, unless there is an IPv6 address.' }),
    ),
    ipv6: nullable(Type.String()),
    ehlo_name: nullable(Type.String({ description: 'The name that its PTR record must contain.' })),
    smarthost: nullable(smarthost),
    pools: Type.Array(Type.Object({ name: Type.String(), weight: Type.Number() })),
    default: Type.Boolean({ description: 'True: mail without a route of its own leaves by it.' }),
    state: oneOf(SOURCE_STATES, {
      description:
        '`closed`: no mail leaves by it. `suspected`: it may be blocked, and is used only where there is no other.',
    }),
    closed: nullable(closed),
    warm_up: nullable(warmUp),
    limits_total: Type.Integer(),
    limits: Type.Array(queueOverride, {
      description: 'Active on its paths, the newest 50; `GET /v1/queue/overrides` has all.',
    }),
  },
  { description: 'A local address or a smarthost that mail leaves by.' },
);
type SourceWire = Static<typeof source>;

nameSchemas({
  Source: source,
  SourcePool: source.properties.pools.items,
  SourceClosed: closed,
  SourceWarmUp: warmUp,
  SourceWarmUpDestination: warmUpDestination,
  Smarthost: smarthost,
});

nameEnums({ SourceKind: SOURCE_KINDS, SourceState: SOURCE_STATES, SmarthostTls: SMARTHOST_TLS });

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
      refuseCustomers(
        request.caller.scope,
        "Only the operator can read the sources. Use a key of permission admin of the operator's workspace.",
      );
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
