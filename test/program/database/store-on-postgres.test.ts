// Runs the suites of several engines on PGlite, which is PostgreSQL in the process, in one file, so that they share one instance.
import { beforeEach, describe } from 'vitest';
import { sized } from '../../support/run-size.js';

// Even if npm run test:long includes this file among those of other engines.
process.env['TEST_ENGINE'] = 'PGlite';

const SUITES: Record<string, () => Promise<unknown>> = {
  'outbound/address-rechecks.store': () => import('../../outbound/address-rechecks.store.test.js'),
  'database/contract': () => import('../../database/contract.test.js'),
  'lists/audience.store': () => import('../../contacts/audience.store.test.js'),
  'lists/tags.store': () => import('../../contacts/tags.store.test.js'),
  'messages/list.store': () => import('../../messages/list.store.test.js'),
  'database/migrations': () => import('../../database/migrations.test.js'),
  'store/tables': () => import('../../database/tables.test.js'),
  'outbound/queue-view.store': () => import('../../outbound/queue-view.store.test.js'),
  'sequences/sequences.store': () => import('../../sequences/sequences.store.test.js'),
  'outbound/sts-policies.store': () => import('../../outbound/sts-policies.store.test.js'),
  'accounts/grants': () => import('../../accounts/grants.test.js'),
  'operations/tls-reports.store': () => import('../../operations/tls-reports.store.test.js'),
  'webhooks/webhook-deliveries.store': () => import('../../webhooks/webhook-deliveries.store.test.js'),
  'analytics/analytics': () => import('../../analytics/analytics.test.js'),
  'domains/dkim-rotation': () => import('../../domains/dkim-rotation.test.js'),
  'tenants/tenants': () => import('../../domains/sub-tenants.test.js'),
};

/** A schema for each of its tests. */
const ON_A_SERVER_ONLY: readonly string[] = ['database/migrations'];

// From the store's contract, which test/system/postgresql.test.ts runs on a server, runs the first test of each part.
beforeEach(({ task, skip }) => {
  const { suite } = task;
  const isSample = suite === undefined || suite.tasks.find(({ type }) => type === 'test') === task;
  const isOfContract = task.fullName.includes('database/contract');
  skip(sized({ small: isOfContract && !isSample, full: false }), 'on a server, and in npm run test:long');
});

const left = sized<readonly string[]>({ small: ON_A_SERVER_ONLY, full: [] });
for (const [name, load] of Object.entries(SUITES).filter(([name]) => !left.includes(name))) {
  describe(name, async () => {
    await load();
  });
}
