// Wires what organizations have: their plans and what is used of them, the uses of their keys.
import type { Routes } from '../api/api.js';
import { usageRoutes } from '../accounts/usage.routes.js';
import type { PlanLimits } from '../accounts/quota.rules.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Store } from '../store/store.js';
import type { Job } from './schedules.js';
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import { createKeyUses } from '../accounts/api-keys/key-uses.js';

export interface AccountsDeps {
  store: Store;
  credentials: CredentialCache;
  plans: ReadonlyMap<string, PlanLimits>;
  clock: Clock;
}

export interface Accounts {
  routes: Routes[];
  jobs: Job[];
}

/** Throws when somebody is on a plan that there is none of: nothing could be sent, nor its use be counted. */
export async function createAccounts({ store, credentials, plans, clock }: AccountsDeps): Promise<Accounts> {
  const unknown = (await store.accounts.plansInUse()).find(({ plan }) => !plans.has(plan));
  if (unknown) {
    const { plan, organizationId } = unknown;
    throw new Error(
      `The organization ${organizationId} is on the plan ${plan}, which config/plans.json does not have.`,
    );
  }
  const keyUses = createKeyUses({ store, credentials, clock });
  return {
    routes: [(api) => usageRoutes(api, { store, plans, clock })],
    jobs: [{ name: 'uses of keys', at: 'minute', run: () => keyUses.run() }],
  };
}
