// GET /v1/sources: the sources of outbound mail, for the operator.
import { listOf, pageQuery } from '../../contract/lists.js';
import type { SourceView } from './source-view.js';
import {
  findSource,
  kindOfSource,
  resumeSource,
  suspendSource,
  type SourcesContext,
} from './change-egress.js';
import type { Api } from '../../http/api.js';
import { FOR_OPERATORS, refuseCustomers, refuseNonOperators } from '../../accounts/access/operator.js';
import { readEnd } from '../../http/body/fields.js';
import { listAnswer, pageInMemory, readPage } from '../../http/lists/pages.js';
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
  destination: Type.String({ description: 'A provider or site.' }),
  stage: Type.Integer({ description: 'Number of completed days of the warm-up plan.' }),
  limit_today: nullable(
    Type.Integer({ description: 'Limit for today (UTC). `null` if the warm-up is complete.' }),
  ),
  sent_today: Type.Integer(),
  deferred_today: Type.Integer(),
  complained_today: Type.Integer(),
  held: Type.Boolean({
    description: 'Whether the limit stays the same tomorrow because of the replies received today.',
  }),
});

const warmUpSchema = Type.Object({
  started_on: Type.String({ format: 'date' }),
  plan_days: Type.Integer({
    description: 'Number of days with mail after which a destination is no longer limited.',
  }),
  sent_today: Type.Integer({ description: 'Messages sent today to all destinations.' }),
  destinations_total: Type.Integer(),
  destinations: Type.Array(warmUpDestination, {
    description: 'The 50 destinations with the most mail today.',
  }),
});

const smarthostSchema = Type.Object({
  host: Type.String(),
  port: Type.Integer(),
  tls: oneOf(SMARTHOST_TLS),
});

const closedSchema = Type.Object({
  reason: Type.String(),
  reply: Type.String({ description: 'The observed error, for example of the connection.' }),
  until: nullable(
    Type.String({ format: 'date-time', description: 'Time of the next attempt to use the source.' }),
  ),
});

const suspendedSchema = Type.Object({
  reason: Type.String(),
  since: timestamp,
  until: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the source resumes automatically. `null` if it stays suspended until it is resumed.',
    }),
  ),
});

const source = Type.Object(
  {
    object: Type.Literal('source'),
    name: Type.String(),
    kind: oneOf(SOURCE_KINDS, {
      description: "The kind of source. `mta` delivers directly to the recipients' mail servers.",
    }),
    ipv4: nullable(
      Type.String({
        description:
          'The IPv4 address. `null` lets the operating system choose, unless there is an IPv6 address.',
      }),
    ),
    ipv6: nullable(Type.String()),
    ehlo_name: nullable(
      Type.String({
        description:
          'The host name that Mailkeel sends in EHLO. The PTR record of the IP address must point to it.',
      }),
    ),
    smarthost: nullable(smarthostSchema),
    pools: Type.Array(Type.Object({ name: Type.String(), weight: Type.Number() })),
    default: Type.Boolean({ description: 'Whether mail without a route uses this source.' }),
    state: oneOf(SOURCE_STATES, {
      description:
        'The state. `closed`: no mail is sent through the source. `suspected`: the source may be blocked and is only used if there is no alternative. `suspended`: suspended by the operator.',
    }),
    closed: nullable(closedSchema),
    suspended: nullable(suspendedSchema),
    warm_up: nullable(warmUpSchema),
    limits_total: Type.Integer(),
    limits: Type.Array(queueOverride, {
      description:
        'The newest 50 active limits for this source. `GET /v1/queue/overrides` returns all of them.',
    }),
  },
  { description: 'A sending IP or smarthost.' },
);
type SourceWire = Static<typeof source>;

const kindSchema = Type.Optional(
  oneOf(SOURCE_KINDS, {
    description: 'The kind of source. Required if a sending IP and a smarthost have the same name.',
  }),
);
const suspendRequest = closedObject(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A note for the operator. It is not visible to anyone else.',
    }),
    expires_at: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Time at which the source resumes automatically. By default, it stays suspended.',
      }),
    ),
    kind: kindSchema,
  },
  { examples: [{ reason: 'Listed on a DNS blocklist' }] },
);
const resumeRequest = closedObject({ kind: kindSchema });
const sourceParams = Type.Object({
  name: Type.String({ maxLength: 63, description: 'The name of the source or smarthost.' }),
});

nameSchemas({
  Source: source,
  SourcePool: source.properties.pools.items,
  SourceClosed: closedSchema,
  SourceSuspended: suspendedSchema,
  SourceSuspendRequest: suspendRequest,
  SourceResumeRequest: resumeRequest,
  SourceWarmUp: warmUpSchema,
  SourceWarmUpDestination: warmUpDestination,
  Smarthost: smarthostSchema,
});

nameEnums({ SourceKind: SOURCE_KINDS, SourceState: SOURCE_STATES, SmarthostTls: SMARTHOST_TLS });

// A source as /v1 shows it. Its input does not contain the credentials of smarthosts.
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
    state: sourceState(view),
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

/** The operator's suspension takes precedence over the state of the network. */
function sourceState({ closed, suspended }: SourceView): SourceWire['state'] {
  if (suspended) return 'suspended';
  if (!closed) return 'open';
  return closed.isCertain ? 'closed' : 'suspected';
}

const tags = ['Sources'];

/** Permissions of a change. */
const config = { permission: 'admin', role: 'admin' } as const;

export function sourceRoutes(app: Api, context: SourcesContext): void {
  listRoute(app, context);
  suspendRoute(app, context);
  resumeRoute(app, context);
}

function listRoute(app: Api, { traffic }: SourcesContext): void {
  app.get(
    '/v1/sources',
    {
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'sources.list',
        tags,
        summary: 'List sources',
        description: `Returns the sending IPs and smarthosts by name, with their pools, warm-up and limits. ${FOR_OPERATORS}.`,
        querystring: pageQuery,
        response: { 200: listOf(source) },
      },
    },
    (request) => {
      refuseCustomers(request.caller.scope, 'read the sources');
      const page = pageInMemory(traffic.sources(), { ...readPage(request), order: 'asc' }, sortKey);
      return listAnswer(request, page, presentSource);
    },
  );
}

function suspendRoute(app: Api, context: SourcesContext): void {
  app.post(
    '/v1/sources/:name/suspend',
    {
      config: { ...config, audit: { shows: ['reason'] } },
      schema: {
        operationId: 'sources.suspend',
        tags,
        summary: 'Suspend a source',
        description: `Stops sending through a source or smarthost until it is resumed. Takes effect immediately. Mail uses the other members of the pool or the next option of its route, or waits if there is none. SMTP transactions in progress are completed. Suspending a source again replaces the reason and end time. ${FOR_OPERATORS}, in the live environment.`,
        params: sourceParams,
        body: suspendRequest,
        response: { 200: source },
      },
    },
    async (request) => {
      refuseNonOperators(request.caller, 'suspend a source');
      const { kind, reason, expires_at: end } = request.body;
      const found = findSource(context, request.params.name, kind);
      const expiresAt = end === undefined ? null : readEnd('expires_at', end, context.clock());
      return presentSource(await suspendSource(context, found, { reason, expiresAt }));
    },
  );
}

function resumeRoute(app: Api, context: SourcesContext): void {
  app.post(
    '/v1/sources/:name/resume',
    {
      config: { ...config, optionalBody: true },
      schema: {
        operationId: 'sources.resume',
        tags,
        summary: 'Resume a source',
        description: `Resumes sending through a suspended source. Has no effect if it is not suspended. ${FOR_OPERATORS}, in the live environment.`,
        params: sourceParams,
        body: resumeRequest,
        response: { 200: source },
      },
    },
    async (request) => {
      refuseNonOperators(request.caller, 'resume a source');
      const found = findSource(context, request.params.name, request.body.kind);
      return presentSource(await resumeSource(context, found));
    },
  );
}

/** A source and a smarthost may have one name. */
function sortKey(view: SourceView): string {
  return `${view.name} ${kindOfSource(view)}`;
}
