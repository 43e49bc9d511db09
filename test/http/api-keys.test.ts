// API keys through the API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type StartedApi } from '../support/start-api.js';

let api: StartedApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const make = (body: object, key?: string) =>
  api.ask('POST', '/v1/api-keys', { body, ...(key === undefined ? {} : { key }) });

describe('a new key', () => {
  it('is shown with its secret once and never again', async () => {
    const made = await make({ name: 'Shop', permission: 'send', mode: 'test', allowed_ips: ['127.0.0.1'] });
    expect(made.status).toBe(201);
    const { secret, ...shown } = made.json as { secret: string; id: string };
    expect(secret).toMatch(/^svc_test_[A-Za-z0-9_-]{43}$/);
    expect(shown).toMatchObject({
      object: 'api_key',
      name: 'Shop',
      permission: 'send',
      mode: 'test',
      sub_tenant_id: null,
      hint: secret.slice(0, 13),
      allowed_ips: ['127.0.0.1'],
      expires_at: null,
    });
    const listed = await api.ask('GET', '/v1/api-keys');
    expect(listed.json.data[0]).toEqual(shown);
    expect(listed.text).not.toContain(secret);
  });

  it('belongs to the environment of the calling key unless it says otherwise', async () => {
    expect((await make({ name: 'a' })).json.mode).toBe('live');
    expect((await make({ name: 'a' }, api.testKey)).json.mode).toBe('test');
  });

  it.each([
    [{}, 'name'],
    [{ name: 'x', permission: 'admin' }, 'permission'],
    [{ name: 'x', expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'x', expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
    [{ name: 'x', allowed_ips: ['192.0.2.0/24', '192.0.2.0/40'] }, 'allowed_ips.1'],
    [{ name: 'x', permisson: 'read' }, 'permisson'],
  ])('is refused for %j', async (body, param) => {
    const answer = await make(body);
    expect([answer.status, answer.json.error.param]).toEqual([422, param]);
  });
});

describe('a key makes and revokes only within its own reach', () => {
  it('a test key makes and revokes no live key', async () => {
    const key = api.testKey;
    expect((await make({ name: 'x', mode: 'live' }, key)).status).toBe(403);
    const { id } = (await make({ name: 'live one' })).json as { id: string };
    expect((await api.ask('DELETE', `/v1/api-keys/${id}`, { key })).status).toBe(403);
  });

  it('a pinned key makes pinned keys and sees no others', async () => {
    const [acme, other] = [await api.addTenant('acme'), await api.addTenant('other')];
    const key = (await make({ name: 'pinned', sub_tenant_id: acme })).json.secret as string;
    expect((await make({ name: 'mine' }, key)).json.sub_tenant_id).toBe(acme);
    expect((await make({ name: 'x', sub_tenant_id: other }, key)).json.error.code).toBe(
      'sub_tenant_mismatch',
    );
    const seen = (await api.ask('GET', '/v1/api-keys', { key })).json.data as { sub_tenant_id: string }[];
    expect(seen.map((one) => one.sub_tenant_id)).toEqual([acme, acme]);
    const { id } = (await make({ name: 'of the workspace' })).json as { id: string };
    expect((await api.ask('DELETE', `/v1/api-keys/${id}`, { key })).status).toBe(404);
  });

  it('a sending key makes none', async () => {
    expect((await make({ name: 'x' }, await api.addKey({ permission: 'send' }))).status).toBe(403);
  });
});

it('an unknown or already revoked key is 404', async () => {
  expect((await api.ask('DELETE', '/v1/api-keys/key_unknown')).status).toBe(404);
  const { id } = (await make({ name: 'x' })).json as { id: string };
  expect((await api.ask('DELETE', `/v1/api-keys/${id}`)).status).toBe(200);
  expect((await api.ask('DELETE', `/v1/api-keys/${id}`)).status).toBe(404);
});
