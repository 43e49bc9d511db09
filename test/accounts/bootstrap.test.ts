// Tests that the first organization is created once, regardless of which process is first.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { apiKeySecretHash } from '../../src/accounts/api-keys/api-key-secret.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { type Store, createStore } from '../../src/app/store.js';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { fixedClock } from '../support/fixed-clock.js';
import { temporaryFolder } from '../support/open-engines.js';

const clock = fixedClock().now;
let folder: ReturnType<typeof temporaryFolder>;
let stores: Store[];

beforeEach(async () => {
  folder = temporaryFolder();
  const file = join(folder.path, 'mail.db');
  const engines = [1, 2, 3].map(() => openSqlite({ file, busyTimeoutMs: 5000 }));
  if (engines[0]) await migrate(engines[0]);
  stores = engines.map((engine) => createStore(engine, { maxGroup: 50 }));
});

afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
  folder.remove();
});

function oneStore(): Store {
  const [store] = stores;
  if (!store) throw new Error('No store was opened.');
  return store;
}

it('creates an organization on the unlimited plan, with both environments and a key for each', async () => {
  const store = oneStore();
  const made = await bootstrap(store, { clock });
  expect(made.liveKey).toMatch(/^svc_live_[\w-]{43}$/);
  expect(made.testKey).toMatch(/^svc_test_[\w-]{43}$/);
  for (const [secret, mode] of [
    [made.liveKey, 'live'],
    [made.testKey, 'test'],
  ] as const) {
    expect(await store.accounts.credential(apiKeySecretHash(secret ?? ''))).toMatchObject({
      permission: mode === 'live' ? 'admin' : 'full',
      expiresAt: null,
      allowedIps: null,
      scope: {
        organizationId: made.organizationId,
        workspaceId: made.workspaceId,
        workspaceNumber: 1,
        mode,
        subTenantId: null,
      },
    });
  }
  expect(await store.accounts.firstOrganization()).toMatchObject({
    id: made.organizationId,
    plan: 'unlimited',
    unsubscribe_blocks: 'all',
  });
  expect(await store.events.chainHead(1)).toMatchObject({ seq: 0 });
});

it('shows the secrets only the first time', async () => {
  const store = oneStore();
  const first = await bootstrap(store, { clock });
  expect(await bootstrap(store, { clock })).toEqual({ ...first, liveKey: null, testKey: null });
});

it('creates one organization if several processes start at once, and only one prints the secrets', async () => {
  const results = await Promise.all(stores.map((store) => bootstrap(store, { clock })));
  expect(new Set(results.map((result) => result.organizationId)).size).toBe(1);
  expect(results.filter((result) => result.liveKey !== null && result.testKey !== null)).toHaveLength(1);
  expect(results.filter((result) => result.liveKey === null && result.testKey === null)).toHaveLength(2);
  expect(await oneStore().accounts.environments()).toHaveLength(2);
});
