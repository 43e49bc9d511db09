// GET /v1/sources: what mail leaves by, for the operator.
import { listOf, pageQuery } from '../../contract/lists.js';
import type { SourceView } from './source-view.js';
import type { Api } from '../../api/api.js';
import { FOR_OPERATORS, refuseCustomers, refuseOthers } from '../../operations/operator.routes.js';
import { readEnd } from '../../api/body/fields.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Store } from '../../store/store.js';
import type { EgressControl } from './egress-control.js';
import type { SourceKind } from './operator-egress.js';
import { listAnswer, pageInMemory, readPage } from '../../api/lists/pages.js';
import type { TrafficView } from '../traffic-view.js';
import { presentOverride } from '../schedule/queue.view.js';
import { iso, isoOrNull } from '../../contract/time.js';
import { Type, type Static } from 'typebox';
import { queueOverride } from '../schedule/queue.schema.js';
import {
  closed as closedObject,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
} from '../../contract/schema.js';

// Routes of the egress: sources and smarthosts with pools, warm-up, and the reason when one is closed.
const SOURCE_KINDS = ['mta', 'smarthost'] as const;
const SOURCE_STATES = ['open', 'suspected', 'closed', 'suspended'] as const;
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

const suspended = Type.Object({
  reason: Type.String(),
  since: timestamp,
  until: nullable(Type.String({ format: 'date-time', description: 'Null: until it is resumed.' })),
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
        '`closed`: no mail leaves by it. `suspected`: it may be blocked, and is used only where there is no other. `suspended`: the operator lets no mail leave by it.',
    }),
    closed: nullable(closed),
    suspended: nullable(suspended),
    warm_up: nullable(warmUp),
    limits_total: Type.Integer(),
    limits: Type.Array(queueOverride, {
      description: 'Active on its paths, the newest 50; `GET /v1/queue/overrides` has all.',
    }),
  },
  { description: 'A local address or a smarthost that mail leaves by.' },
);
type SourceWire = Static<typeof source>;

const kind = Type.Optional(
  oneOf(SOURCE_KINDS, { description: 'Needed where a source and a smarthost have this name.' }),
);
const suspendRequest = closedObject(
  {
    reason: Type.String({ minLength: 1, maxLength: 200, description: 'Shown to the operator only.' }),
    expires_at: Type.Optional(
      Type.String({ maxLength: 64, description: 'When it resumes by itself. Default: it does not.' }),
    ),
    kind,
  },
  { examples: [{ reason: 'On a block list' }] },
);
const resumeRequest = closedObject({ kind });
const sourceParams = Type.Object({
  name: Type.String({ maxLength: 63, description: 'Of the source or smarthost.' }),
});

nameSchemas({
  Source: source,
  SourcePool: source.properties.pools.items,
  SourceClosed: closed,
  SourceSuspended: suspended,
  SourceSuspendRequest: suspendRequest,
  SourceResumeRequest: resumeRequest,
  SourceWarmUp: warmUp,
  SourceWarmUpDestination: warmUpDestination,
  Smarthost: smarthost,
});

nameEnums({ SourceKind: SOURCE_KINDS, SourceState: SOURCE_STATES, SmarthostTls: SMARTHOST_TLS });

// A source of mail as /v1 shows it; credentials of smarthosts are not in what it is made of.
function presentSource(view: SourceView): SourceWire {
  const { name, own, smarthost, closed, suspended, warmUp } = view;
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
    state: stateOf(view),
    closed: closed && { reason: closed.reason, reply: closed.reply, until: isoOrNull(closed.until) },
    suspended: suspended && {
      reason: suspended.reason,
      since: iso(suspended.since),
      until: isoOrNull(suspended.until),
    },
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

/** The operator's word first: it holds whatever the network does. */
function stateOf({ closed, suspended }: SourceView): SourceWire['state'] {
  if (suspended) return 'suspended';
  if (!closed) return 'open';
  return closed.isCertain ? 'closed' : 'suspected';
}

export interface SourceRouteDeps {
  store: Pick<Store, 'commit'>;
  traffic: Pick<TrafficView, 'sources'>;
  control: Pick<EgressControl, 'suspend' | 'resume'>;
  clock: Clock;
}

const tags = ['Sources'];

export function sourceRoutes(app: Api, deps: SourceRouteDeps): void {
  readRoute(app, deps);
  suspensionRoutes(app, deps);
}

function readRoute(app: Api, { traffic }: SourceRouteDeps): void {
  app.get(
    '/v1/sources',
    {
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'sources.list',
        tags,
        summary: 'List the addresses and smarthosts that mail leaves by, with pools, warm-up and limits',
        description: `In the order of their names. ${FOR_OPERATORS}.`,
        querystring: pageQuery,
        response: { 200: listOf(source) },
      },
    },
    (request) => {
      refuseCustomers(request.caller.scope, 'read the sources');
      const page = pageInMemory(traffic.sources(), { ...readPage(request), order: 'asc' }, keyOf);
      return listAnswer(request, page, presentSource);
    },
  );
}

function suspensionRoutes(app: Api, { store, traffic, control, clock }: SourceRouteDeps): void {
  const config = { permission: 'admin', role: 'admin' } as const;

  /** Refuses with `not_found`, or names `kind` where two have the name. */
  function find(name: string, wanted: SourceKind | undefined): SourceView {
    const named = traffic.sources().filter((view) => view.name === name);
    const [found, other] = named.filter((view) => wanted === undefined || kindOf(view) === wanted);
    if (!found) throw new Refusal('not_found', 'There is no such source or smarthost.');
    if (!other) return found;
    throw invalidFields([{ path: 'kind', message: 'is needed: a source and a smarthost have this name' }]);
  }

  app.post(
    '/v1/sources/:name/suspend',
    {
      config: { ...config, audit: { shows: ['reason'] } },
      schema: {
        operationId: 'sources.suspend',
        tags,
        summary: 'Let no mail leave by a source or smarthost until it is resumed',
        description: `Applies at once: mail takes the other members of its pools, or the next way of its route, and waits where there is none. A transaction that has begun ends there; nothing begins any more. Suspended again, it has the new reason and end. ${FOR_OPERATORS}, in live.`,
        params: sourceParams,
        body: suspendRequest,
        response: { 200: source },
      },
    },
    async (request) => {
      refuseOthers(request.caller, 'suspend a source');
      const { body } = request;
      const view = find(request.params.name, body.kind);
      const now = clock();
      const row = {
        kind: kindOf(view),
        name: view.name,
        reason: body.reason,
        created_at: view.suspended?.since ?? now,
        expires_at: body.expires_at === undefined ? null : readEnd('expires_at', body.expires_at, now),
      };
      const { reason, created_at, expires_at } = row;
      const set = { reason, created_at, expires_at };
      await store.commit([{ kind: 'upsert', into: 'suspended_sources', row, key: ['kind', 'name'], set }]);
      control.suspend(row);
      return presentSource(find(view.name, row.kind));
    },
  );

  app.post(
    '/v1/sources/:name/resume',
    {
      config: { ...config, optionalBody: true },
      schema: {
        operationId: 'sources.resume',
        tags,
        summary: 'Let mail leave by a suspended source again',
        description: `Does nothing where it is not suspended. ${FOR_OPERATORS}, in live.`,
        params: sourceParams,
        body: resumeRequest,
        response: { 200: source },
      },
    },
    async (request) => {
      refuseOthers(request.caller, 'resume a source');
      const view = find(request.params.name, request.body.kind);
      const where = { kind: kindOf(view), name: view.name };
      await store.commit([{ kind: 'delete', from: 'suspended_sources', where }]);
      control.resume(where.kind, where.name);
      return presentSource(find(where.name, where.kind));
    },
  );
}

function kindOf({ own }: SourceView): SourceKind {
  return own === null ? 'smarthost' : 'mta';
}

/** A source and a smarthost may have one name. */
function keyOf(view: SourceView): string {
  return `${view.name} ${kindOf(view)}`;
}
