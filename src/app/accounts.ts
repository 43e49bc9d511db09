// Wires what organizations have: their plans and what is used of them, the uses of their keys, what is kept of changes.
import type { Routes } from '../api/api.js';
import { usageRoutes } from '../accounts/usage.routes.js';
import type { PlanLimits } from '../accounts/quota.rules.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { Store } from '../store/store.js';
import type { Job } from './schedules.js';
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import { createKeyUses } from '../accounts/api-keys/key-uses.js';
import { createPruning } from '../accounts/pruning.js';

/** Days beyond a year that can be asked for. */
const KEY_DAYS_KEPT_MS = 400 * 86_400_000;

export interface AccountsDeps {
  store: Store;
  config: Config;
  credentials: CredentialCache;
  plans: ReadonlyMap<string, PlanLimits>;
  clock: Clock;
}

export interface Accounts {
  routes: Routes[];
  jobs: Job[];
}

/** Throws when somebody is on a plan that there is none of: nothing could be sent, nor its use be counted. */
export async function createAccounts({
  store,
  config,
  credentials,
  plans,
  clock,
}: AccountsDeps): Promise<Accounts> {
  const unknown = (await store.accounts.plansInUse()).find(({ plan }) => !plans.has(plan));
  if (unknown) {
    const { plan, organizationId } = unknown;
    throw new Error(
      `The organization ${organizationId} is on the plan ${plan}, which config/plans.json does not have.`,
    );
  }
  const keyUses = createKeyUses({ store, credentials, clock });
  const oldEntries = createPruning({ store: store.audit, keepMs: config.auditKeepMs, clock });
  const oldAnswers = createPruning({ store: store.idempotency, keepMs: store.idempotency.lifetimeMs, clock });
  const oldRequests = createPruning({ store: store.requestLog, keepMs: config.requestLogKeepMs, clock });
  const oldKeyDays = createPruning({ store: store.keyUsage, keepMs: KEY_DAYS_KEPT_MS, clock });
  return {
    routes: [(api) => usageRoutes(api, { store, plans, clock })],
    jobs: [
      { name: 'uses of keys', at: 'minute', run: () => keyUses.run() },
      { name: 'old audit entries', at: 'hour', run: () => oldEntries.run().then(() => undefined) },
      { name: 'old requests', at: 'hour', run: () => oldRequests.run().then(() => undefined) },
      { name: 'old uses of keys', at: 'hour', run: () => oldKeyDays.run().then(() => undefined) },
      // Requests of one workspace alone may leave more in an hour than a run drops.
      { name: 'old answers', at: 'minute', run: () => oldAnswers.run().then(() => undefined) },
    ],
  };
}
