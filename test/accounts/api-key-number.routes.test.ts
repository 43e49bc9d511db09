// Tests the maximum number of API keys per workspace.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiKeys, type WantedKey } from '../../src/accounts/api-keys/api-keys.js';
import type { Caller } from '../../src/http/access/caller.js';
import { startApi, type StartedApi } from '../support/start-api.js';

let api: StartedApi;
let keys: ApiKeys;
let caller: Caller;
let now = Date.now();
const WISH: WantedKey = {
  name: 'A key',
  permission: 'full',
  mode: 'live',
  allowedIps: null,
  expiresAt: null,
  policy: null,
};

beforeEach(async () => {
  api = await startApi();
  const { store, credentials } = api;
  const context = { store, credentials, masterKey: Buffer.alloc(32), settings: { keyOverlapMs: 1_000 } };
  keys = new ApiKeys({ ...context, clock: () => now }, 4);
  const known = await credentials.find(api.liveKey);
  if (!known) throw new Error('The key is known.');
  ({ caller } = known);
});
afterEach(() => api.close());

it('limits the number of active keys of a workspace across both environments', async () => {
  // Two exist from the start.
  const { row } = await keys.create(caller, caller.scope, WISH);
  await keys.create(caller, caller.scope, { ...WISH, mode: 'test', expiresAt: now + 60_000 });
  const refused = {
    code: 'conflict',
    message: 'The workspace has reached its limit of 4 API keys. Revoke unused keys first.',
  };
  await expect(keys.create(caller, caller.scope, WISH)).rejects.toMatchObject(refused);
  await keys.rotate(caller, row.id, null);
  await keys.revoke(caller, row.id);
  await expect(keys.create(caller, caller.scope, WISH)).rejects.toMatchObject(refused);
  now += 60_001;
  await keys.create(caller, caller.scope, WISH);
});

it('enforces the limit for keys that are created at the same time', async () => {
  const made = await Promise.allSettled(
    Array.from({ length: 12 }, () => keys.create(caller, caller.scope, WISH)),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  for (const one of made) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' });
  }
});
