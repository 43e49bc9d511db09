// Tests API keys: authentication, permissions, allowed IP addresses, scope, and rate limits.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAllowed } from '../../src/contract/key-permission.js';
import type { KeyPermission } from '../../src/contract/names.js';
import { fixedClock } from '../support/fixed-clock.js';
import { startApi, type StartApiOptions, type StartedApi } from '../support/start-api.js';

let api: StartedApi;
const start = async (options: StartApiOptions = {}): Promise<StartedApi> => (api = await startApi(options));
afterEach(() => api.close());

describe('a key', () => {
  beforeEach(() => start());

  it.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic abc' }],
    ['an unknown key', { authorization: 'Bearer svc_live_unknown' }],
    ['an empty key', { authorization: 'Bearer ' }],
  ])('is refused with 401 for %s', async (_name, headers) => {
    const answer = await api.ask('GET', '/v1/contacts', { key: '', headers });
    expect([answer.status, answer.json.error.code]).toEqual([401, 'unauthorized']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('authenticates its workspace, with any case of the scheme', async () => {
    const headers = { authorization: `bearer ${api.liveKey}` };
    expect((await api.ask('GET', '/v1/contacts', { key: '', headers })).status).toBe(200);
  });

  it('stops working as soon as it is revoked, even if it is cached', async () => {
    const made = await api.ask('POST', '/v1/api-keys', { body: { name: 'Short' } });
    const { secret: key, id } = made.json as { secret: string; id: string };
    expect((await api.ask('GET', '/v1/contacts', { key })).status).toBe(200);
    expect((await api.ask('DELETE', `/v1/api-keys/${id}`)).json).toEqual({
      id,
      object: 'api_key',
      deleted: true,
    });
    expect((await api.ask('GET', '/v1/contacts', { key })).status).toBe(401);
  });
});

it('stops working when it expires, even if it is cached', async () => {
  const clock = fixedClock();
  await start({ clock: clock.now });
  const key = await api.addKey({ expiresAt: clock.now() + 1000 });
  expect((await api.ask('GET', '/v1/contacts', { key })).status).toBe(200);
  clock.advance(1000);
  const answer = await api.ask('GET', '/v1/contacts', { key });
  expect([answer.status, answer.json.error.message]).toEqual([401, 'The API key has expired.']);
});

it('works only from its allowed addresses', async () => {
  await start();
  const near = await api.addKey({ allowedIps: ['127.0.0.0/8'] });
  const far = await api.addKey({ allowedIps: ['192.0.2.0/24', '2001:db8::/32'] });
  expect((await api.ask('GET', '/v1/contacts', { key: near })).status).toBe(200);
  const answer = await api.ask('GET', '/v1/contacts', { key: far });
  expect([answer.status, answer.json.error.code]).toEqual([403, 'address_not_allowed']);
});

it('ignores X-Forwarded-For unless the proxy is trusted', async () => {
  await start();
  const key = await api.addKey({ allowedIps: ['192.0.2.1'] });
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  expect((await api.ask('GET', '/v1/contacts', { key, headers })).status).toBe(403);
  await api.close();
  await start({ settings: { trustedProxies: ['127.0.0.1'] } });
  const same = await api.addKey({ allowedIps: ['192.0.2.1'] });
  expect((await api.ask('GET', '/v1/contacts', { key: same, headers })).status).toBe(200);
});

describe('permissions', () => {
  it.each<[KeyPermission, string, KeyPermission | undefined, boolean]>([
    ['full', 'DELETE', undefined, true],
    ['full', 'GET', 'full', true],
    ['read', 'GET', undefined, true],
    ['read', 'HEAD', undefined, true],
    ['read', 'GET', 'send', true],
    ['read', 'GET', 'full', false],
    ['read', 'POST', undefined, false],
    ['read', 'POST', 'send', false],
    ['send', 'POST', 'send', true],
    ['send', 'GET', 'send', true],
    ['send', 'GET', undefined, false],
    ['send', 'POST', undefined, false],
  ])('a %s key, %s, where %s is needed: %s', (permission, method, needed, allowed) => {
    expect(isAllowed(permission, method, needed)).toBe(allowed);
  });

  it('are checked before the body is read', async () => {
    await start();
    const key = await api.addKey({ permission: 'read' });
    expect((await api.ask('GET', '/v1/contacts', { key })).status).toBe(200);
    const answer = await api.ask('POST', '/v1/contacts', { key, body: { nonsense: 1 } });
    expect([answer.status, answer.json.error.code]).toEqual([403, 'forbidden']);
    expect(answer.json.error.message).toMatch(
      /^The API key has (read|send) permission\. .* requires (read|send|full)/,
    );
  });
});

describe('sub-tenants', () => {
  const emailsOf = (answer: { json: { data: { email: string }[] } }) =>
    answer.json.data.map((one) => one.email);
  let acme: string;
  let other: string;
  beforeEach(async () => {
    await start();
    acme = await api.addTenant('acme');
    other = await api.addTenant('other');
    for (const [id, email] of [
      [acme, 'a@x.example'],
      [other, 'o@x.example'],
      ['', 'w@x.example'],
    ] as const) {
      await api.ask('POST', '/v1/contacts', { body: { email, ...(id === '' ? {} : { sub_tenant_id: id }) } });
    }
  });

  it('a pinned key sees only its own', async () => {
    const key = await api.addKey({ subTenantId: acme });
    expect(emailsOf(await api.ask('GET', '/v1/contacts', { key }))).toEqual(['a@x.example']);
    expect((await api.ask('GET', '/v1/contacts/o@x.example', { key })).status).toBe(404);
    expect((await api.ask('GET', '/v1/contacts/w@x.example', { key })).status).toBe(404);
  });

  it('the header restricts one request of an unpinned key', async () => {
    const headers = { 'x-sub-tenant-id': other };
    expect(emailsOf(await api.ask('GET', '/v1/contacts', { headers }))).toEqual(['o@x.example']);
    expect(emailsOf(await api.ask('GET', '/v1/contacts'))).toHaveLength(3);
  });

  it('a header with an unknown sub-tenant returns 404, one that contradicts the pin 400', async () => {
    const unknown = await api.ask('GET', '/v1/contacts', { headers: { 'x-sub-tenant-id': 'tnt_nobody' } });
    expect([unknown.status, unknown.json.error.code]).toEqual([404, 'not_found']);
    const key = await api.addKey({ subTenantId: acme });
    const same = await api.ask('GET', '/v1/contacts', { key, headers: { 'x-sub-tenant-id': acme } });
    expect(same.status).toBe(200);
    const wrong = await api.ask('GET', '/v1/contacts', { key, headers: { 'x-sub-tenant-id': other } });
    expect([wrong.status, wrong.json.error.code]).toEqual([400, 'sub_tenant_mismatch']);
  });

  it('a field that contradicts the pin returns 400, an unknown sub-tenant 422', async () => {
    const key = await api.addKey({ subTenantId: acme });
    const body = { email: 'n@x.example', sub_tenant_id: other };
    expect((await api.ask('POST', '/v1/contacts', { key, body })).json.error.code).toBe(
      'sub_tenant_mismatch',
    );
    const unknown = { email: 'n@x.example', sub_tenant_id: 'tnt_nobody' };
    expect((await api.ask('POST', '/v1/contacts', { body: unknown })).json.error).toMatchObject({
      code: 'sub_tenant_not_found',
      param: 'sub_tenant_id',
    });
  });
});

describe('limits', () => {
  const settings = {
    rateLimitLivePerMinute: 5,
    rateLimitTestPerMinute: 2,
    rateLimitAuthFailuresPerMinute: 3,
  };

  it('count all keys of an environment, and report the remaining requests and the reset time', async () => {
    await start({ settings });
    const ask = (key: string) => api.ask('GET', '/v1/contacts', { key });
    const key = api.testKey;
    const first = await ask(key);
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
    expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(0);
    expect((await ask(key)).status).toBe(200);
    const over = await ask(key);
    expect([over.status, over.json.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    const subTenantId = await api.addTenant('acme');
    expect((await ask(await api.addKey({ mode: 'test' }))).status).toBe(429);
    expect((await ask(await api.addKey({ mode: 'test', subTenantId }))).status).toBe(429);
    expect((await ask(api.liveKey)).headers['ratelimit-limit']).toBe('5');
  });

  it.each(['a key that is pinned to it', 'the header that names it'])(
    "reserve half of the workspace's rate beside a busy sub-tenant, by %s",
    async (way) => {
      await start({ settings: { ...settings, rateLimitLivePerMinute: 6 } });
      const busy = await api.addTenant('busy');
      const other = await api.addTenant('other');
      const isPinned = way.startsWith('a key');
      const pinned = isPinned ? await api.addKey({ mode: 'live', subTenantId: busy }) : '';
      const ask = (subTenantId: string | null) =>
        api.ask('GET', '/v1/contacts', {
          key: isPinned && subTenantId === busy ? pinned : api.liveKey,
          ...(subTenantId === null ? {} : { headers: { 'x-sub-tenant-id': subTenantId } }),
        });
      for (let i = 0; i < 3; i++) expect((await ask(busy)).status).toBe(200);
      for (let i = 0; i < 9; i++) {
        const over = await ask(busy);
        expect([over.status, over.json.error.code]).toEqual([429, 'rate_limited']);
        expect(over.json.error.message).toContain('sub-tenant');
        expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
        expect(over.headers['ratelimit-limit']).toBe('3');
      }
      // Each gets only its own share, because the workspace's count would reveal others' requests.
      expect((await ask(other)).headers).toMatchObject({
        ...{ 'ratelimit-limit': '3', 'ratelimit-remaining': '2', 'ratelimit-policy': '"default";q=3;w=60' },
      });
      expect((await ask(null)).status).toBe(200);
      expect((await ask(null)).headers['ratelimit-remaining']).toBe('0');
      expect((await ask(null)).json.error.message).toContain('workspace');
    },
  );

  it('do not count public operations', async () => {
    await start({ settings });
    for (let i = 0; i < 8; i++) expect((await api.ask('GET', '/healthz', { key: '' })).status).toBe(200);
  });

  it('are disabled by zero', async () => {
    await start();
    const answer = await api.ask('GET', '/v1/contacts');
    expect(answer.status).toBe(200);
    expect(answer.headers['ratelimit-limit']).toBeUndefined();
  });

  it('block a client address after repeated failures, but not valid keys from it', async () => {
    await start({ settings });
    const fail = () => api.ask('GET', '/v1/contacts', { key: 'svc_live_wrong' });
    for (let i = 0; i < 3; i++) expect((await fail()).status).toBe(401);
    const over = await fail();
    expect([over.status, over.json.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    expect((await api.ask('GET', '/v1/contacts')).status).toBe(200);
  });

  it('count the failures of an IPv6 client by its /64', async () => {
    await start({ settings: { ...settings, trustedProxies: ['127.0.0.1'] } });
    const fail = (ip: string) =>
      api.ask('GET', '/v1/contacts', { key: 'svc_live_wrong', headers: { 'x-forwarded-for': ip } });
    for (let i = 0; i < 3; i++) expect((await fail(`2001:db8::${i}`)).status).toBe(401);
    expect((await fail('2001:db8::99')).status).toBe(429);
    expect((await fail('2001:db8:0:1::1')).status).toBe(401);
  });
});
