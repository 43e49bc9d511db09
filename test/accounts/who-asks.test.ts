// Tests authentication and information about the caller: /, /v1/me, HTTP Basic, rate limits in the current form, HEAD.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPeopleRig, type PeopleRig } from '../support/people-rig.js';
import { startApi, type StartedApi } from '../support/start-api.js';

let rig: PeopleRig;
let api: Pick<StartedApi, 'ask' | 'addKey' | 'addTenant' | 'liveKey' | 'organizationId' | 'workspaceId'>;
beforeAll(async () => {
  rig = await startPeopleRig();
  api = rig;
});
afterAll(() => rig.close());

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

describe('GET /v1/me', () => {
  it('shows a key its permission, environment, limits and scope', async () => {
    const key = await api.addKey({ mode: 'test', permission: 'send' });
    const { status, json } = await api.ask('GET', '/v1/me', { key });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'me',
      mode: 'test',
      permission: 'send',
      sub_tenant_id: null,
      pinned: false,
      person: null,
      api_key: { object: 'api_key', key_prefix: key.slice(0, 13), permission: 'send' },
      organization: { id: api.organizationId },
      workspace: { id: api.workspaceId },
      limits: { recipients_per_message: 50, messages_per_batch: 1000 },
    });
    expect(JSON.stringify(json)).not.toContain(key);
  });

  it("shows a pinned key its pin, without the workspace's own names", async () => {
    const tenant = await api.addTenant('pinned');
    const key = await api.addKey({ subTenantId: tenant, permission: 'read' });
    const { json } = await api.ask('GET', '/v1/me', { key });
    expect(json).toMatchObject({ sub_tenant_id: tenant, pinned: true });
    expect(json).toMatchObject({ organization: { name: null }, workspace: { name: null } });
    const narrowed = await api.ask('GET', '/v1/me', { headers: { 'x-sub-tenant-id': tenant } });
    expect(narrowed.json).toMatchObject({
      sub_tenant_id: tenant,
      pinned: false,
      organization: { name: null },
    });
  });

  it('shows a person with role and workspaces', async () => {
    const browser = await rig.signedIn();
    const { json } = await browser.ask('GET', '/v1/me');
    expect(json).toMatchObject({
      api_key: null,
      permission: 'full',
      person: { user: { email: 'Olga@Example.com' }, role: 'owner', workspaces: [{ id: api.workspaceId }] },
    });
  });
});

describe('HTTP Basic', () => {
  it('accepts the key as user name, or as password of any user', async () => {
    const key = api.liveKey;
    for (const headers of [basic(key, ''), basic(key, 'x'), basic('api', key), basic('', key)]) {
      expect((await api.ask('GET', '/v1/contacts', { key: '', headers })).status).toBe(200);
    }
    for (const headers of [
      basic('api', 'nothing'),
      basic('svc_live_wrong', key),
      { authorization: 'Basic !!!' },
      { authorization: `Basic ${Buffer.from(key).toString('base64')}` },
    ]) {
      const { status, headers: answered } = await api.ask('GET', '/v1/contacts', { key: '', headers });
      // No browser prompts for a name and a password.
      expect([status, answered['www-authenticate']]).toEqual([401, 'Bearer']);
    }
  });
});

it('GET / returns links to programs, and redirects browsers to set-up until there is an owner', async () => {
  const program = await api.ask('GET', '/', { key: '' });
  expect(program.status).toBe(200);
  expect(program.json).toMatchObject({ object: 'links', me: 'https://mail.example.test/v1/me' });
  expect(program.headers['vary']).toContain('Accept');
  const bare = await startPeopleRig({ bare: true });
  const browser = await bare.ask('GET', '/', { key: '', headers: { accept: 'text/html,*/*;q=0.8' } });
  expect([browser.status, browser.headers['location']]).toEqual([303, '/setup']);
  await bare.close();
});

it('HEAD works wherever GET does, and an unsupported method gets the supported ones', async () => {
  const head = await api.ask('HEAD', '/v1/contacts');
  expect([head.status, head.text]).toEqual([200, '']);
  for (const [method, path] of [
    ['PUT', '/v1/contacts'],
    ['DELETE', '/v1/me'],
    ['POST', '/'],
    ['HEAD', '/v1/auth/sign-in'],
  ] as const) {
    const wrong = await api.ask(method, path);
    expect([method, wrong.status]).toEqual([method, 405]);
    expect(String(wrong.headers['allow'])).toMatch(/GET, HEAD|POST/);
  }
});

it('limits are sent in the current form and in the old headers', async () => {
  const limited = await startApi({ settings: { rateLimitLivePerMinute: 2 } });
  const first = await limited.ask('GET', '/v1/contacts');
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-policy': '"default";q=2;w=60' });
  expect(first.headers['ratelimit']).toMatch(/^"default";r=1;t=\d+$/);
  await limited.ask('GET', '/v1/contacts');
  const over = await limited.ask('GET', '/v1/contacts');
  expect([over.status, over.headers['ratelimit-policy']]).toEqual([429, '"default";q=2;w=60']);
  expect(over.headers['ratelimit']).toMatch(/^"default";r=0;t=\d+$/);
  await limited.close();
});
