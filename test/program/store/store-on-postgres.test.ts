// The suites of several engines on PGlite, which is PostgreSQL in the process: in one file, so that one is made for all. What takes
// a second of a core and more there runs on a server in test/system/postgresql.test.ts, which it costs a tenth of that, and here in
// npm run test:long.
import { beforeEach, describe } from 'vitest';
import { SUITES_FOR_A_SERVER } from '../../support/on-postgres.js';
import { sized } from '../../support/run-size.js';

const SUITES: Record<string, () => Promise<unknown>> = {
  'outbound/address-rechecks.store': () => import('../../outbound/address-rechecks.store.test.js'),
  'store/contract': () => import('../../store/contract.test.js'),
  'lists/audience.store': () => import('../../lists/audience.store.test.js'),
  'lists/tags.store': () => import('../../lists/tags.store.test.js'),
  'messages/list.store': () => import('../../messages/list.store.test.js'),
  'store/migration-environments': () => import('../../store/migration-environments.test.js'),
  'store/migration-messages': () => import('../../store/migration-messages.test.js'),
  'store/migration-operations': () => import('../../store/migration-operations.test.js'),
  'store/migration-requests': () => import('../../store/migration-requests.test.js'),
  'store/migration-tenancy': () => import('../../store/migration-tenancy.test.js'),
  'store/migrations': () => import('../../store/migrations.test.js'),
  'store/tables': () => import('../../store/tables.test.js'),
  'outbound/queue-view.store': () => import('../../outbound/queue-view.store.test.js'),
  'sequences/sequences.store': () => import('../../sequences/sequences.store.test.js'),
  'outbound/sts-policies.store': () => import('../../outbound/sts-policies.store.test.js'),
  'operations/tls-reports.store': () => import('../../operations/tls-reports.store.test.js'),
  'webhooks/webhook-deliveries.store': () => import('../../webhooks/webhook-deliveries.store.test.js'),
  'analytics/analytics': () => import('../../analytics/analytics.test.js'),
  'domains/dkim-rotation': () => import('../../domains/dkim-rotation.test.js'),
  'tenants/tenants': () => import('../../tenants/tenants.test.js'),
};

/** Tests of suites that run here: thousands of rows, or large files. */
const LARGE: ReadonlySet<string> = new Set([
  'are found by a search that looks at more of them than one step does',
  'takes whole stretches with events of deleted messages, and lets only their rows go',
  'a large one goes in and out without being held',
  'takes what arrives in pieces of any size, and refuses to take the place of another',
  'is written at its end, or from a place before it on, which ends it',
  'are exactly those that all filters match, on every page, and counted as many',
]);

beforeEach(({ task, skip }) => {
  skip(sized({ small: LARGE.has(task.name), full: false }), 'on a server, and in npm run test:long');
});

const left = sized<readonly string[]>({ small: SUITES_FOR_A_SERVER, full: [] });
for (const [name, load] of Object.entries(SUITES).filter(([name]) => !left.includes(name))) {
  describe(name, async () => {
    await load();
  });
}
