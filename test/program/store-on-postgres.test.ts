// The suites of several engines on PGlite, which is PostgreSQL in the process: in one file, so that one is made for all.
import { describe } from 'vitest';

const SUITES: Record<string, () => Promise<unknown>> = {
  'store/address-rechecks': () => import('../store/address-rechecks.test.js'),
  'store/contract': () => import('../store/contract.test.js'),
  'store/list-audience': () => import('../store/list-audience.test.js'),
  'store/list-tags': () => import('../store/list-tags.test.js'),
  'store/message-list': () => import('../store/message-list.test.js'),
  'store/migration-environments': () => import('../store/migration-environments.test.js'),
  'store/migration-messages': () => import('../store/migration-messages.test.js'),
  'store/migration-operations': () => import('../store/migration-operations.test.js'),
  'store/migration-requests': () => import('../store/migration-requests.test.js'),
  'store/migration-tenancy': () => import('../store/migration-tenancy.test.js'),
  'store/queue-view': () => import('../store/queue-view.test.js'),
  'store/sequences': () => import('../store/sequences.test.js'),
  'store/sts-policies': () => import('../store/sts-policies.test.js'),
  'store/tls-reports': () => import('../store/tls-reports.test.js'),
  'store/webhook-deliveries': () => import('../store/webhook-deliveries.test.js'),
  'work/analytics': () => import('../work/analytics.test.js'),
  'work/dkim-rotation': () => import('../work/dkim-rotation.test.js'),
  'work/tenants': () => import('../work/tenants.test.js'),
};

for (const [name, load] of Object.entries(SUITES)) {
  describe(name, async () => {
    await load();
  });
}
