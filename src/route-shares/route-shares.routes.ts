// GET and PATCH /v1/route-shares: the shares of routes that leave directly, for the operator.
import { FOR_OPERATORS, refuseCustomers, refuseNonOperators } from '../accounts/access/operator.js';
import { listOf, pageQueryWith } from '../contract/lists.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import type { Api } from '../http/api.js';
import { listAnswer, pageInMemory, readPage } from '../http/lists/pages.js';
import type { SharedRoute } from '../outbound/route/egress-control.js';
import { changeShare, countJudged } from './change-share.js';
import type { RouteShareContext } from './context.js';
import {
  DEFAULT_WINDOW_DAYS,
  routeShare,
  shareParams,
  shareQuery,
  shareUpdate,
  type RouteShareWire,
} from './route-shares.schema.js';
import { presentShare } from './route-shares.view.js';

const DAY_MS = 86_400_000;
const tags = ['Route shares'];

type RoutesContext = Omit<RouteShareContext, 'log'>;

export function routeShareRoutes(app: Api, context: RoutesContext): void {
  listRoute(app, context);
  oneRoute(app, context);
  updateRoute(app, context);
}

function listRoute(app: Api, context: RoutesContext): void {
  app.get(
    '/v1/route-shares',
    {
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'routeShares.list',
        tags,
        summary: 'List route shares',
        description: `Returns the routes that deliver a share of their mail directly and the rest through a smarthost, with statistics for both sides. ${FOR_OPERATORS}.`,
        querystring: pageQueryWith(shareQuery.properties),
        response: { 200: listOf(routeShare) },
      },
    },
    async (request) => {
      refuseCustomers(request.caller.scope, 'read the route shares');
      const page = pageInMemory(
        context.control.shares(),
        { ...readPage(request), order: 'asc' },
        ({ name }) => name,
      );
      const days = request.query.window_days;
      const shown = new Map<string, RouteShareWire>();
      for (const shared of page.rows) shown.set(shared.name, await show(context, shared, days));
      return listAnswer(request, page, ({ name }) => shown.get(name) as RouteShareWire);
    },
  );
}

function oneRoute(app: Api, context: RoutesContext): void {
  app.get(
    '/v1/route-shares/:route',
    {
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'routeShares.get',
        tags,
        summary: 'Retrieve a route share',
        description: `Returns the share of a route, its plan, and statistics for both sides. ${FOR_OPERATORS}.`,
        params: shareParams,
        querystring: shareQuery,
        response: { 200: routeShare },
      },
    },
    async (request) => {
      refuseCustomers(request.caller.scope, 'read the route shares');
      return show(context, find(context, request.params.route), request.query.window_days);
    },
  );
}

function updateRoute(app: Api, context: RoutesContext): void {
  app.patch(
    '/v1/route-shares/:route',
    {
      config: { permission: 'admin', role: 'admin', audit: { shows: ['percent', 'state', 'reason'] } },
      schema: {
        operationId: 'routeShares.update',
        tags,
        summary: 'Update a route share',
        description: `Changes the share of a route, or pauses or resumes its rise. Applies to messages that have not been attempted yet. If Mailkeel has lowered the share, it does not rise again until you set \`state\` to \`active\`. ${FOR_OPERATORS}, in the live environment.`,
        params: shareParams,
        body: shareUpdate,
        response: { 200: routeShare },
      },
    },
    async (request) => {
      refuseNonOperators(request.caller, 'change the share of a route');
      const { percent, state, reason = '' } = request.body;
      if (percent === undefined && state === undefined)
        throw invalidFields([{ path: 'percent', message: 'is required if `state` is not given' }]);
      const shared = find(context, request.params.route);
      const { row: former } = shared;
      const row = await changeShare(context, shared, {
        percent: percent ?? former.percent,
        state: state ?? (former.state === 'lowered' ? 'paused' : former.state),
        reason,
      });
      return show(context, { ...shared, row }, undefined);
    },
  );
}

/** Refused with `not_found`. */
function find({ control }: RoutesContext, name: string): SharedRoute {
  const found = control.shares().find((shared) => shared.name === name);
  if (!found) throw new Refusal('not_found', 'The route does not exist or has no share.');
  return found;
}

async function show(
  context: RoutesContext,
  shared: SharedRoute,
  windowDays = DEFAULT_WINDOW_DAYS,
): Promise<RouteShareWire> {
  const now = context.clock();
  const figures = await context.store.sideFigures.ofRoute(
    shared.name,
    Math.floor(now / DAY_MS) - windowDays + 1,
  );
  const judged = await countJudged(context, shared.row);
  return presentShare({ shared, figures, windowDays, judged, now });
}
