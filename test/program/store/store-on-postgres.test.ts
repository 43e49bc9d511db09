// The suites of several engines on PGlite, which is PostgreSQL in the process: in one file, so that one is made for all.
import { describe } from 'vitest';

const SUITES: Record<string, () => Promise<unknown>> = {
  'store/address-rechecks': () => import('../../outbound/address-rechecks.store.test.js'),
  'store/contract': () => import('../../store/contract.test.js'),
  'store/list-audience': () => import('../../lists/audience.store.test.js'),
  'store/list-tags': () => import('../../lists/tags.store.test.js'),
  'store/message-list': () => import('../../messages/list.store.test.js'),
  'store/migration-environments': () => import('../../store/migration-environments.test.js'),
  'store/migration-messages': () => import('../../store/migration-messages.test.js'),
  'store/migration-operations': () => import('../../store/migration-operations.test.js'),
  'store/migration-requests': () => import('../../store/migration-requests.test.js'),
  'store/migration-tenancy': () => import('../../store/migration-tenancy.test.js'),
  'store/queue-view': () => import('../../outbound/queue-view.store.test.js'),
  'store/sequences': () => import('../../sequences/sequences.store.test.js'),
  'store/sts-policies': () => import('../../outbound/sts-policies.store.test.js'),
  'store/tls-reports': () => import('../../operations/tls-reports.store.test.js'),
  'store/webhook-deliveries': () => import('../../webhooks/webhook-deliveries.store.test.js'),
  'work/analytics': () => import('../../analytics/analytics.test.js'),
  'work/dkim-rotation': () => import('../../domains/dkim-rotation.test.js'),
  'work/tenants': () => import('../../tenants/tenants.test.js'),
};

for (const [name, load] of Object.entries(SUITES)) {
  describe(name, async () => {
    await load();
  });
}
