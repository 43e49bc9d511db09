// Routes for the reputation of a sub-tenant, and to pause and resume it, in the key's environment.
import { Refusal } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import { subTenant } from '../domains/sub-tenants/sub-tenant.schema.js';
import { subTenantReputation, subTenantReputationQuery } from './reputation.schema.js';
import type { ReputationContext } from './context.js';
import type { ReputationConfig } from './judge.js';
import type { Pausing } from './pausing.js';
import type { Api } from '../http/api.js';
import { presentReputation } from './reputation.view.js';
import { type SubTenantSettings, showSubTenant } from '../domains/sub-tenants/sub-tenant.view.js';
import { refusePinned } from '../http/access/caller.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const TRAIL_LIMIT = 1000;
const tags = ['Sub-tenants'];

interface ReputationRouteContext extends Pick<ReputationContext, 'store' | 'clock'> {
  pausing: Pausing;
  settings: SubTenantSettings & ReputationConfig;
}

export function subTenantReputationRoutes(app: Api, context: ReputationRouteContext): void {
  moveRoutes(app, context);
  reputationRoute(app, context);
}

const MOVES = [
  [
    'pause',
    'Pause a sub-tenant',
    "Rejects the sub-tenant's messages and holds its queued mail in the key's environment until it is resumed. Not available to keys that are pinned to a sub-tenant.",
  ],
  [
    'resume',
    'Resume a sub-tenant',
    "Resumes sending for a sub-tenant in the key's environment. Not available to keys that are pinned to a sub-tenant.",
  ],
] as const;

function moveRoutes(app: Api, { store, pausing, settings }: ReputationRouteContext): void {
  for (const [action, summary, description] of MOVES) {
    app.post(
      `/v1/sub-tenants/:id/${action}`,
      {
        schema: {
          operationId: `subTenants.${action}`,
          tags,
          summary,
          description,
          params: idParams,
          response: { 200: subTenant },
        },
      },
      async (request) => {
        const { caller, params } = request;
        // An unknown sub-tenant is reported before a missing permission.
        if (!(await store.tenants.subTenant(caller.scope, params.id))) throw new Refusal('not_found');
        refusePinned(caller);
        const actor = caller.actor.kind === 'user' ? 'user' : 'api';
        const moved = await pausing[action](caller.scope, params.id, actor);
        return showSubTenant({ store, settings }, moved);
      },
    );
  }
}

function reputationRoute(app: Api, { store, settings, clock }: ReputationRouteContext): void {
  app.get(
    '/v1/sub-tenants/:id/reputation',
    {
      schema: {
        operationId: 'subTenants.getReputation',
        tags,
        summary: "Retrieve a sub-tenant's reputation",
        description:
          "Returns complaint and bounce rates by day, the thresholds, and changes of the reputation state, for the key's environment. The rates are those of the last evaluation, which also sets the state. The daily figures are current.",
        params: idParams,
        querystring: subTenantReputationQuery,
        response: { 200: subTenantReputation },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const tenant = await store.tenants.subTenant(scope, request.params.id);
      if (!tenant) throw new Refusal('not_found');
      const dayCount = request.query.days ?? DEFAULT_DAYS;
      const today = Math.floor(clock() / DAY_MS);
      const days = await store.statistics.days({
        environmentId: scope.environmentId,
        subTenantKey: tenant.id,
        from: today - dayCount + 1,
        to: today,
        type: null,
      });
      const trail = await store.events.auditTrailOfSubject(scope, tenant.id, TRAIL_LIMIT);
      return presentReputation({
        tenant,
        settings,
        isLive: scope.mode === 'live',
        days,
        today,
        dayCount,
        trail,
      });
    },
  );
}
