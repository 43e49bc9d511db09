// Tests the organization through the API.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type StartedApi } from '../support/start-api.js';

let api: StartedApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('reads the organization and changes single fields', async () => {
  const before = (await api.ask('GET', '/v1/organization')).json as Record<string, unknown>;
  expect(before).toMatchObject({
    id: api.organizationId,
    object: 'organization',
    postal_address: null,
    unsubscribe_blocks: 'all',
    track_opens: true,
    reply_to_policy: 'verified',
    plan: 'unlimited',
  });
  const body = {
    postal_address: 'Am Deich 1\nBremen',
    unsubscribe_blocks: 'marketing',
    track_clicks: false,
    reply_to_policy: 'any',
  };
  const changed = await api.ask('PATCH', '/v1/organization', { body });
  expect(changed.status).toBe(200);
  expect(changed.json).toMatchObject({ ...body, name: before['name'], track_opens: true });
  const cleared = await api.ask('PATCH', '/v1/organization', { body: { postal_address: null } });
  expect(cleared.json.postal_address).toBeNull();
});

it('lists the message types without tracking', async () => {
  expect((await api.ask('GET', '/v1/organization')).json.untracked_types).toEqual([]);
  const body = { untracked_types: ['transactional', 'sales'] };
  expect((await api.ask('PATCH', '/v1/organization', { body })).json).toMatchObject(body);
  expect((await api.ask('PATCH', '/v1/organization', { body: { name: 'A' } })).json).toMatchObject(body);
});

it.each([
  [{ plan: 'free' }],
  [{ name: '' }],
  [{ unsubscribe_blocks: 'none' }],
  [{ track_opens: 1 }],
  [{ reply_to_policy: 'all' }],
  [{ untracked_types: ['all'] }],
])('refuses %j', async (body) => {
  expect((await api.ask('PATCH', '/v1/organization', { body })).status).toBe(422);
});

it('refuses keys that are pinned to a sub-tenant', async () => {
  const key = await api.addKey({ subTenantId: await api.addTenant('acme') });
  expect((await api.ask('GET', '/v1/organization', { key })).status).toBe(403);
  expect((await api.ask('PATCH', '/v1/organization', { key, body: { name: 'x' } })).status).toBe(403);
});
