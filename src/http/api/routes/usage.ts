// GET /v1/usage: what the organization has used of its plan.
import { Refusal } from '../../../contract/refusal.js';
import { usage } from '../../../contract/usage.js';
import { noSends, usageDays, type PlanLimits } from '../../../rules/quota.js';
import type { Clock } from '../../../runtime/clock.js';
import type { Store } from '../../../store/store.js';
import type { Api } from '../api.js';
import { presentUsage } from '../present/usage.js';

export interface UsageDeps {
  store: Pick<Store, 'accounts' | 'usage'>;
  plans: ReadonlyMap<string, PlanLimits>;
  clock: Clock;
}

const NO_LIMITS: PlanLimits = { dailySends: null, monthlySends: null, types: {} };

export function usageRoutes(app: Api, { store, plans, clock }: UsageDeps): void {
  app.get(
    '/v1/usage',
    {
      schema: {
        operationId: 'usage.get',
        tags: ['Usage'],
        summary: 'What is used of the plan, this day and this month; nothing in the sandbox',
        response: { 200: usage },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      if (scope.subTenantId !== null) {
        throw new Refusal('forbidden', 'The plan is out of reach of a request for one sub-tenant.');
      }
      const now = clock();
      const { plan } = await store.accounts.organization(scope);
      if (scope.mode === 'test') {
        const none = { day: noSends(), month: noSends() };
        return presentUsage({ plan, limits: NO_LIMITS, used: none, ofWorkspace: none, now });
      }
      const limits = plans.get(plan);
      if (!limits) throw new Error(`There is no plan ${plan} in config/plans.json.`);
      const days = usageDays(now);
      const [used, ofWorkspace] = await Promise.all([
        store.usage.ofOrganization(scope.organizationId, days),
        store.usage.ofEnvironment(scope.environmentId, days),
      ]);
      return presentUsage({ plan, limits, used, ofWorkspace, now });
    },
  );
}
