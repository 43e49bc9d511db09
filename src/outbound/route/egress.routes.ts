// GET, POST and DELETE /v1/routes: temporary routes of the operator, which precede those of the egress file.
import { Type, type Static } from 'typebox';
import { readEnd } from '../../http/body/fields.js';
import type { Api } from '../../http/api.js';
import { listAnswer, pageInMemory, readPage } from '../../http/lists/pages.js';
import { listOf, pageQuery } from '../../contract/lists.js';
import { MESSAGE_TYPES } from '../../contract/names.js';
import { invalidFields } from '../../contract/refusal.js';
import {
  closed,
  deleted,
  idParams,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
} from '../../contract/schema.js';
import { iso, isoOrNull } from '../../contract/time.js';
import { DataProblems } from '../../lib/config/index.js';
import { FOR_OPERATORS, refuseCustomers, refuseNonOperators } from '../../accounts/access/operator.js';
import type { OutboundApiContext } from '../context.js';
import { createRoute, deleteRoute } from './change-egress.js';
import type { EgressRoute } from './egress.rules.js';
import type { RouteView } from './operator-egress.js';

const MAX_VALUES = 100;
const ROUTE_STATES = ['active', 'broken'] as const;
const MAX_DESTINATIONS = 50;

const texts = (description: string, maxLength = 253) =>
  Type.Array(Type.String({ minLength: 1, maxLength }), { minItems: 1, maxItems: MAX_VALUES, description });
const DOMAINS = 'Recipient domains. `*.example.com` matches every subdomain of example.com.';
const SUB_TENANTS = 'Sub-tenants, by ID or external ID.';
const VIA = 'Routes in order of preference, as `pool:name` or `smarthost:name` from the egress file.';
const types = Type.Array(oneOf(MESSAGE_TYPES), { minItems: 1, maxItems: MESSAGE_TYPES.length });
const via = texts(VIA, 80);

const LATER = 'See `GET /v1/route-shares` for the current share.';
const riseStep = {
  step: Type.Integer({ minimum: 1, maximum: 100, description: 'Percentage points of each step.' }),
  every_days: Type.Integer({ minimum: 1, maximum: 365, description: 'Days between two steps.' }),
};
const UNTIL = 'Percentage at which the share stops rising.';
const riseRequest = closed(
  {
    ...riseStep,
    until: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100, description: UNTIL })),
  },
  {
    description:
      'Raises the share automatically while bounces and complaints of direct mail stay low. Requires `share`.',
    examples: [{ step: 10, every_days: 3 }],
  },
);
const risePlan = Type.Object(
  { ...riseStep, until: Type.Integer({ description: UNTIL }) },
  { description: 'How the share rises.' },
);

const routeRequest = closed(
  {
    domains: Type.Optional(texts(DOMAINS)),
    providers: Type.Optional(texts("Providers of the recipients' mail servers, for example `google`.", 63)),
    sub_tenants: Type.Optional(texts(SUB_TENANTS)),
    types: Type.Optional(types),
    tags: Type.Optional(texts('Tags to match. A message needs only one of them.', 256)),
    all: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether the route applies to all mail. Required if you set no other criterion.',
      }),
    ),
    via,
    share: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: `Percentage of the mail that is delivered through the pools in \`via\`. The rest is delivered through the smarthosts in \`via\`. ${LATER}`,
      }),
    ),
    rise: Type.Optional(riseRequest),
    reason: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A note for the operator. It is not visible to anyone else.',
    }),
    expires_at: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Time at which the route is removed automatically. By default, it does not expire.',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to only check the route and count the matching queued messages.',
      }),
    ),
  },
  {
    examples: [
      { domains: ['customer.example'], via: ['pool:default'], reason: 'Primary IP is blocked there' },
    ],
  },
);
type Body = Static<typeof routeRequest>;

const listOrNone = (list: ReturnType<typeof texts>) => nullable(Type.Array(list.items));
const route = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('route'),
    domains: listOrNone(texts(DOMAINS)),
    providers: listOrNone(texts('')),
    sub_tenants: listOrNone(texts(SUB_TENANTS)),
    types: nullable(Type.Array(oneOf(MESSAGE_TYPES))),
    tags: listOrNone(texts('')),
    via: Type.Array(Type.String(), { description: VIA }),
    share: nullable(Type.Integer({ description: `Percentage when the route was created. ${LATER}` })),
    rise: nullable(risePlan),
    reason: Type.String(),
    state: oneOf(ROUTE_STATES, {
      description:
        'The state of the route. A `broken` route refers to something that no longer exists in the egress file, and is skipped.',
    }),
    problem: nullable(Type.String({ description: 'Why the route is broken.' })),
    created_at: timestamp,
    expires_at: nullable(timestamp),
  },
  { description: 'A route set by the operator. Criteria that are `null` are ignored.' },
);
type RouteWire = Static<typeof route>;

const routeChange = Type.Object({
  object: Type.Literal('route_change'),
  dry_run: Type.Boolean(),
  route: nullable(route),
  matched: Type.Integer({
    description: 'Number of matching live messages in the queue, among those examined.',
  }),
  destinations: Type.Array(Type.Object({ domain: Type.String(), messages: Type.Integer() }), {
    description: `The ${MAX_DESTINATIONS} destinations with the most matching messages.`,
  }),
  complete: Type.Boolean({
    description: 'Whether all queued messages were examined. `false` if there was not enough time.',
  }),
});

nameSchemas({
  Route: route,
  RouteRequest: routeRequest,
  RouteRise: risePlan,
  RouteRiseRequest: riseRequest,
  RouteChange: routeChange,
  RouteDestination: routeChange.properties.destinations.items,
});
nameEnums({ RouteState: ROUTE_STATES });

type EgressContext = Pick<OutboundApiContext, 'store' | 'control' | 'engagement' | 'clock'>;

const tags = ['Routes'];

export function egressRoutes(app: Api, context: EgressContext): void {
  routesRoute(app, context);
  creationRoute(app, context);
  deletionRoute(app, context);
}

function routesRoute(app: Api, { control }: EgressContext): void {
  app.get(
    '/v1/routes',
    {
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'routes.list',
        tags,
        summary: 'List routes',
        description: `Returns the routes that the operator has placed ahead of those in the egress file. They are evaluated in this order, newest first, and the first match applies. ${FOR_OPERATORS}.`,
        querystring: pageQuery,
        response: { 200: listOf(route) },
      },
    },
    (request) => {
      refuseCustomers(request.caller.scope, 'read the routes');
      const page = pageInMemory(control.routes(), readPage(request), ({ row }) => row.id);
      return listAnswer(request, page, presentRoute);
    },
  );
}

function creationRoute(app: Api, context: EgressContext): void {
  app.post(
    '/v1/routes',
    {
      config: {
        permission: 'admin',
        role: 'admin',
        audit: { shows: ['domains', 'providers', 'tags', 'via', 'share', 'reason'] },
      },
      schema: {
        operationId: 'routes.create',
        tags,
        summary: 'Create a route',
        description: `Creates a route that takes precedence over all others. It applies immediately, including to queued messages. Deferred messages keep their retry time; use \`POST /v1/queue/destinations/{domain}/retry\` to retry them now. With \`tags\`, messages whose usual route is unavailable wait for it, as with routes in the egress file. ${FOR_OPERATORS}, in the live environment.`,
        body: routeRequest,
        response: { 200: routeChange },
      },
    },
    async (request) => {
      refuseNonOperators(request.caller, 'create a route');
      const { body } = request;
      const rule = readRule(body);
      const compiled = compile(context.control, rule);
      const { reason, expires_at: end, dry_run: isDryRun = false } = body;
      const expiresAt = end === undefined ? null : readEnd('expires_at', end, context.clock());
      const given = { rule, route: compiled, reason, expiresAt, isDryRun };
      const { row, routed } = await createRoute(context, given);
      return {
        object: 'route_change' as const,
        dry_run: isDryRun,
        route: row === null ? null : presentRoute({ row, problem: null }),
        matched: routed.matched,
        destinations: routed.destinations.slice(0, MAX_DESTINATIONS),
        complete: routed.isComplete,
      };
    },
  );
}

function deletionRoute(app: Api, context: EgressContext): void {
  app.delete(
    '/v1/routes/:id',
    {
      config: { permission: 'admin', role: 'admin' },
      schema: {
        operationId: 'routes.delete',
        tags,
        summary: 'Delete a route',
        description: `Deletes a route set by the operator. The remaining routes apply immediately. ${FOR_OPERATORS}, in the live environment.`,
        params: idParams,
        response: { 200: deleted('route') },
      },
    },
    async (request) => {
      refuseNonOperators(request.caller, 'delete a route');
      const { id } = request.params;
      await deleteRoute(context, id);
      return { id, object: 'route' as const, deleted: true as const };
    },
  );
}

/** Returns a route in the form of the egress file. Refuses a route without a criterion, unless it says `all`. */
function readRule(body: Body) {
  const { domains, providers, sub_tenants, types: kinds, tags: words, all, via: ways, share, rise } = body;
  const criteria = {
    ...(domains === undefined ? {} : { domain: domains }),
    ...(providers === undefined ? {} : { provider: providers }),
    ...(sub_tenants === undefined ? {} : { tenant: sub_tenants }),
    ...(kinds === undefined ? {} : { type: kinds }),
    ...(words === undefined ? {} : { tag: words }),
  };
  const isBare = Object.keys(criteria).length === 0;
  if (isBare && all !== true) {
    throw invalidFields([{ path: 'all', message: 'must be true if no criterion is given' }]);
  }
  if (!isBare && all === true) {
    throw invalidFields([{ path: 'all', message: 'cannot be combined with a criterion' }]);
  }
  const plan = rise && { step: rise.step, every: `${rise.every_days}d`, until: rise.until ?? 100 };
  return {
    ...criteria,
    via: ways,
    ...(share === undefined ? {} : { share }),
    ...(plan === undefined ? {} : { rise: plan }),
  };
}

/** Fields of the request, by the key of the rule. */
const FIELDS: Readonly<Record<string, string>> = {
  domain: 'domains',
  provider: 'providers',
  tenant: 'sub_tenants',
  type: 'types',
  tag: 'tags',
  via: 'via',
  share: 'share',
  rise: 'rise',
};
const PROBLEM = /^route: the route\.([a-z]+)(?:\[(\d+)\])? (.*)$/s;

function compile(control: EgressContext['control'], rule: object): EgressRoute {
  try {
    return control.compile(rule);
  } catch (error) {
    if (!(error instanceof DataProblems)) throw error;
    throw invalidFields(
      error.problems.map((problem) => {
        const [, key = '', index, message = problem] = PROBLEM.exec(problem) ?? [];
        const field = FIELDS[key] ?? 'via';
        return { path: index === undefined ? field : `${field}[${index}]`, message };
      }),
    );
  }
}

function plainRise({ step, every, until }: { step: number; every: string; until: number }) {
  return { step, every_days: Number.parseInt(every, 10), until };
}

function presentRoute({ row, problem }: RouteView): RouteWire {
  const {
    domain,
    provider,
    tenant,
    type,
    tag,
    via: ways,
    share,
    rise,
  } = JSON.parse(row.rule) as ReturnType<typeof readRule>;
  return {
    id: row.id,
    object: 'route',
    domains: domain ?? null,
    providers: provider ?? null,
    sub_tenants: tenant ?? null,
    types: type ?? null,
    tags: tag ?? null,
    via: ways,
    share: share ?? null,
    rise: rise === undefined ? null : plainRise(rise),
    reason: row.reason,
    state: problem === null ? 'active' : 'broken',
    problem,
    created_at: iso(row.created_at),
    expires_at: isoOrNull(row.expires_at),
  };
}
