// Tests webhook endpoints through the API: create, read, change, delete, test, and the delivery log.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '../../src/contract/names.js';
import { webhookDeliveryRoutes } from '../../src/webhooks/deliveries/deliveries.routes.js';
import { webhookEndpointRoutes } from '../../src/webhooks/endpoints.routes.js';
import { createResolver } from '../../src/lib/dns/index.js';
import { newId, systemClock } from '../../src/lib/runtime/index.js';
import { openEndpointSecret, openEndpointSecrets } from '../../src/webhooks/endpoint-secret.js';
import { newDelivery } from '../../src/webhooks/deliveries/delivery-content.js';
import { createUrlCheck } from '../../src/webhooks/webhooks.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { webhookEndpoints, webhookDeliveries } from '../../src/webhooks/webhooks.tables.js';
import { inboxes } from '../../src/messages/inboxes/inboxes.tables.js';
import { insert, remove, update } from '../../src/database/rows.js';

const MASTER_KEY = Buffer.alloc(32, 5);
const ENDPOINTS = '/v1/webhook-endpoints';
let api: StartedApi;
let dns: TestDnsServer;
let closeResolver: () => void;
let rings = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  dns.set('hooks.test', 'A', ['93.184.216.34']);
  dns.set('inside.test', 'A', ['10.1.2.3']);
  const resolver = createResolver({ servers: [dns.address], clock: systemClock });
  closeResolver = () => resolver.close();
  const notifyDeliveries = (): void => {
    rings += 1;
  };
  const checkUrl = createUrlCheck({ config: { webhookAllowPrivate: false }, resolver });
  api = await startApi({
    routes: (store) => [
      (app) =>
        webhookEndpointRoutes(app, {
          store,
          masterKey: MASTER_KEY,
          config: { webhookSecretOverlapMs: 0 },
          formats: {},
          clock: systemClock,
          checkUrl,
          notifyDeliveries,
        }),
      (app) => webhookDeliveryRoutes(app, { store, formats: {}, clock: systemClock, notifyDeliveries }),
    ],
  });
});

afterAll(async () => {
  await api.close();
  closeResolver();
  await dns.close();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the answers' shapes are what is tested
async function make(body: object = {}, key?: string): Promise<any> {
  const request = { body: { url: 'https://hooks.test/in', ...body }, ...(key === undefined ? {} : { key }) };
  const answer = await api.ask('POST', ENDPOINTS, request);
  expect(answer.status).toBe(201);
  return answer.json as unknown;
}

describe('creating an endpoint', () => {
  it('returns 201 with the secret, which is stored encrypted and shown once', async () => {
    const made = await make({ description: 'Orders' });
    expect(made).toEqual({
      id: expect.stringMatching(/^whe_[0-9a-z]{26}$/) as unknown,
      object: 'webhook_endpoint',
      url: 'https://hooks.test/in',
      events: [...WEBHOOK_EVENTS],
      inbox_ids: null,
      description: 'Orders',
      sub_tenant_id: null,
      status: 'enabled',
      disabled_reason: null,
      consecutive_failures: 0,
      previous_secret_until: null,
      created_at: expect.stringMatching(/Z$/) as unknown,
      updated_at: made.created_at,
      format: 'service',
      payload: 'thin',
      public_key: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as unknown,
    });
    const { secret, ...shown } = made;
    expect((await api.ask('GET', `${ENDPOINTS}/${String(made.id)}`)).json).toEqual(shown);
    expect((await api.ask('GET', ENDPOINTS)).json.data[0]).toEqual(shown);
    const row = await api.store.webhooks.endpoint(await api.scopeOf('live'), made.id as string);
    expect(row?.secret_sealed).not.toContain(secret);
    expect(openEndpointSecret(MASTER_KEY, made.id as string, row?.secret_sealed ?? '')).toBe(secret);
  });

  it('encrypts user name and password, and masks them', async () => {
    const url = 'https://ann:p%40ss@hooks.test/in';
    const made = await make({ url });
    expect(made.url).toBe('https://***@hooks.test/in');
    const id = String(made.id);
    const scope = await api.scopeOf('live');
    const secretsOf = async () => {
      const row = await api.store.webhooks.endpoint(scope, id);
      if (!row) throw new Error('no endpoint');
      expect(JSON.stringify(row)).not.toMatch(/p@ss|p%40ss/);
      return { url: row.url, authorization: openEndpointSecrets(MASTER_KEY, row).authorization };
    };
    const authorization = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;
    expect(await secretsOf()).toEqual({ url: 'https://hooks.test/in', authorization });

    const change = (to: string) => api.ask('PATCH', `${ENDPOINTS}/${id}`, { body: { url: to } });
    expect((await change('https://***@hooks.test/other')).json.url).toBe('https://***@hooks.test/other');
    expect(await secretsOf()).toEqual({ url: 'https://hooks.test/other', authorization });
    expect((await change('https://***:***@hooks.test/')).json.url).toBe('https://***@hooks.test/');
    expect(await secretsOf()).toEqual({ url: 'https://hooks.test/', authorization });
    expect(await change('https://***@elsewhere.test/')).toMatchObject({
      status: 422,
      json: { error: { code: 'validation_error', param: 'url' } },
    });
    expect((await change('https://hooks.test/')).json.url).toBe('https://hooks.test/');
    expect((await secretsOf()).authorization).toBeNull();
    expect((await change('https://***@hooks.test/')).status).toBe(422);
  });

  it('accepts event names without duplicates, including opt-in events', async () => {
    const events = ['message.bounced', 'message.deferred', 'message.bounced'];
    expect((await make({ events })).events).toEqual(['message.bounced', 'message.deferred']);
  });

  it('accepts inboxes of the environment, keeps them when they are deleted, and refuses others', async () => {
    const { environmentId } = await api.scopeOf('live');
    const add = (name: string, tenant: string | null = null) => {
      const now = systemClock();
      const [id, address] = [newId('ibx', now), `${name}@reply.inboxes.test`];
      const row = {
        ...{ id, environment_id: environmentId, sub_tenant_id: tenant, address, address_key: address },
        ...{ client_id: name, requested: '[]', created_at: now, updated_at: now },
      };
      return api.store.commit([insert(inboxes, { row })]).then(() => id);
    };
    const [help, sales] = [await add('help'), await add('sales', 'tnt_a')];
    const made = await make({ inbox_ids: [help, sales, help] });
    expect(made.inbox_ids).toEqual([help, sales]);
    const change = (inboxIds: unknown) =>
      api.ask('PATCH', `${ENDPOINTS}/${String(made.id)}`, { body: { inbox_ids: inboxIds } });
    await api.store.commit([remove(inboxes, { where: { id: help } })]);
    expect((await change([help])).json.inbox_ids).toEqual([help]);
    expect((await change([])).status).toBe(422);
    expect((await change(null)).json.inbox_ids).toBeNull();
    expect(await change([sales, help])).toMatchObject({
      status: 422,
      json: { error: { param: 'inbox_ids.1', message: expect.stringContaining('not an inbox') as string } },
    });
    const body = { url: 'https://hooks.test/', inbox_ids: [sales] };
    const inSandbox = await api.ask('POST', ENDPOINTS, { body, key: api.testKey });
    expect([inSandbox.status, inSandbox.json.error.param]).toEqual([422, 'inbox_ids.0']);
  });

  it.each([
    ['an unknown event', { events: ['message.sent', 'message.read'] }, 'validation_error', 'events.1'],
    ['an unknown field', { colour: 1 }, 'validation_error', 'colour'],
    ['a loopback address', { url: 'http://127.0.0.1/' }, 'webhook_url_not_allowed', 'url'],
    ['the metadata address', { url: 'http://169.254.169.254/x' }, 'webhook_url_not_allowed', 'url'],
    ['a name that leads inside', { url: 'https://inside.test/' }, 'webhook_url_not_allowed', 'url'],
    ['another scheme', { url: 'ftp://hooks.test/' }, 'webhook_url_not_allowed', 'url'],
    ['a colon in a user name', { url: 'https://a%3Ab:c@hooks.test/' }, 'validation_error', 'url'],
    ['a masked user name with a password', { url: 'https://***:b@hooks.test/' }, 'validation_error', 'url'],
    ['an unknown sub-tenant', { sub_tenant_id: 'tnt_x' }, 'sub_tenant_not_found', 'sub_tenant_id'],
  ])('refuses %s with 422', async (_what, body, code, param) => {
    const answer = await api.ask('POST', ENDPOINTS, { body: { url: 'https://hooks.test/', ...body } });
    expect(answer.status).toBe(422);
    expect(answer.json.error).toMatchObject({ code, param });
  });

  it('suggests the command line if the address is local', async () => {
    const { json } = await api.ask('POST', ENDPOINTS, { body: { url: 'http://localhost:3000/hooks' } });
    expect(json.error.message).toContain('mailkeel listen --forward-to URL');
    const other = await api.ask('POST', ENDPOINTS, { body: { url: 'ftp://hooks.test/' } });
    expect(other.json.error.message).not.toContain('listen');
  });

  it('names the unknown event', async () => {
    const body = { url: 'https://hooks.test/', events: ['message.read'] };
    expect((await api.ask('POST', ENDPOINTS, { body })).json.error.message).toContain('"message.read"');
  });

  it('is refused if the workspace has 50', async () => {
    const full = await startApi({
      routes: (store) => [
        (app) =>
          webhookEndpointRoutes(app, {
            store,
            masterKey: MASTER_KEY,
            config: { webhookSecretOverlapMs: 0 },
            formats: {},
            clock: systemClock,
            checkUrl: () => Promise.resolve(null),
            notifyDeliveries: () => undefined,
          }),
      ],
    });
    const body = { url: 'https://hooks.test/' };
    for (let i = 0; i < 50; i++) await full.ask('POST', ENDPOINTS, { body });
    expect(await full.ask('POST', ENDPOINTS, { body })).toMatchObject({
      status: 409,
      json: { error: { code: 'conflict' } },
    });
    await full.close();
  });
});

describe('a pinned key', () => {
  it('creates and sees only the endpoints of its sub-tenant', async () => {
    const tenant = await api.addTenant('acme');
    const key = await api.addKey({ subTenantId: tenant });
    const general = await make();
    const own = await make({}, key);
    expect(own.sub_tenant_id).toBe(tenant);
    expect((await api.ask('GET', ENDPOINTS, { key })).json.data).toMatchObject([{ id: own.id }]);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { description: 'x' }],
      ['DELETE', '', undefined],
      ['GET', '/deliveries', undefined],
      ['POST', '/test', {}],
    ] as const) {
      const url = `${ENDPOINTS}/${String(general.id)}${path}`;
      const answer = await api.ask(method, url, { key, ...(body ? { body } : {}) });
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    const foreign = await api.ask('POST', ENDPOINTS, {
      key,
      body: { url: 'https://hooks.test/', sub_tenant_id: 'tnt_other' },
    });
    expect(foreign).toMatchObject({ status: 400, json: { error: { code: 'sub_tenant_mismatch' } } });
  });

  it('of permission read changes nothing', async () => {
    const key = await api.addKey({ permission: 'read' });
    const answer = await api.ask('POST', ENDPOINTS, { key, body: { url: 'https://hooks.test/' } });
    expect(answer.status).toBe(403);
  });
});

describe('changing an endpoint', () => {
  it('changes only the given fields and wakes the delivery', async () => {
    const { id } = await make({ description: 'a', events: ['message.sent'] });
    const { json: made } = await api.ask('GET', `${ENDPOINTS}/${String(id)}`);
    const before = rings;
    const body = { url: 'https://hooks.test/new', events: null };
    const answer = await api.ask('PATCH', `${ENDPOINTS}/${String(id)}`, { body });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      ...made,
      ...body,
      events: [...WEBHOOK_EVENTS],
      updated_at: answer.json.updated_at,
    });
    expect(rings).toBe(before + 1);
  });

  it('enables a disabled endpoint and resets its failures', async () => {
    const { id } = await make();
    const set = { status: 'disabled' as const, disabled_reason: 'why', consecutive_failures: 10 };
    await api.store.commit([update(webhookEndpoints, { set, where: { id: id as string } })]);
    const url = `${ENDPOINTS}/${String(id)}`;
    expect((await api.ask('PATCH', url, { body: { status: 'disabled' } })).json).toMatchObject(set);
    expect((await api.ask('PATCH', url, { body: { status: 'enabled' } })).json).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
      consecutive_failures: 0,
    });
    expect(
      (await api.ask('PATCH', url, { body: { status: 'disabled' } })).json.disabled_reason,
    ).not.toBeNull();
  });

  it.each([
    [{ url: 'http://[::1]/' }, 'webhook_url_not_allowed'],
    [{ status: 'paused' }, 'validation_error'],
    [{ events: ['x'] }, 'validation_error'],
    [{ sub_tenant_id: 'tnt_x' }, 'validation_error'],
  ])('%j is refused', async (body, code) => {
    const { id } = await make();
    const answer = await api.ask('PATCH', `${ENDPOINTS}/${String(id)}`, { body });
    expect(answer).toMatchObject({ status: 422, json: { error: { code } } });
  });
});

describe('deliveries', () => {
  async function log(id: string, query = '', key?: string) {
    return (await api.ask('GET', `${ENDPOINTS}/${id}/deliveries${query}`, key === undefined ? {} : { key }))
      .json;
  }

  it('creates a test delivery in the environment of the key', async () => {
    const { id } = await make({ events: ['message.bounced'] });
    const answer = await api.ask('POST', `${ENDPOINTS}/${String(id)}/test`);
    expect(answer.status).toBe(200);
    const { payload } = answer.json;
    expect(payload).toEqual({
      event: 'message.bounced',
      occurred_at: payload.occurred_at,
      data: {
        id: expect.stringMatching(/^msg_test_[0-9a-z]{26}$/) as unknown,
        event: 'message.bounced',
        occurred_at: payload.occurred_at,
        sandbox: false,
      },
    });
    expect(answer.json).toMatchObject({
      object: 'webhook_delivery',
      endpoint_id: id,
      event_id: null,
      status: 'pending',
      attempts: [],
    });
    expect(answer.json.next_attempt_at).not.toBeNull();
    expect((await log(id as string)).data).toEqual([answer.json]);
    const other = await api.ask('GET', `${ENDPOINTS}/${String(id)}/deliveries`, { key: api.testKey });
    expect(other.status).toBe(404);
    const named = await api.ask('POST', `${ENDPOINTS}/${String(id)}/test`, {
      body: { event: 'tenant.warned' },
    });
    expect(named.json.payload.data.id).toMatch(/^tnt_test_/);
  });

  it('refuses a test of a disabled endpoint', async () => {
    const { id } = await make();
    await api.ask('PATCH', `${ENDPOINTS}/${String(id)}`, { body: { status: 'disabled' } });
    expect((await api.ask('POST', `${ENDPOINTS}/${String(id)}/test`)).status).toBe(409);
  });

  it('are listed newest first with their attempts, by status and event', async () => {
    const { id } = await make();
    const scope = await api.scopeOf('live');
    const now = Date.UTC(2026, 0, 2);
    const rows = (['message.sent', 'message.delivered', 'message.sent'] as const).map((event, i) =>
      newDelivery({
        endpointId: id as string,
        environmentId: scope.environmentId,
        position: scope.workspaceNumber * 2 ** 36 + i,
        event,
        subjectId: `msg_${i}`,
        payload: JSON.stringify({ event, occurred_at: new Date(now).toISOString(), data: {} }),
        now,
      }),
    );
    await api.store.commit(rows.map((row) => insert(webhookDeliveries, { row })));
    const [first] = await api.store.webhooks.claimDeliveries(id as string, now, now + 1, 1);
    const attempt = {
      number: 1,
      at: now,
      duration_ms: 7,
      response_status: 500,
      response_body: 'no',
      error: null,
      url: 'https://hooks.test/in',
    };
    const headers = {
      request_headers: '{"Service-Attempt":"1"}',
      request_body: null,
      response_headers: '{"content-type":"text/plain"}',
    };
    await api.store.webhooks.finishAttempts(
      [
        {
          deliveryId: first?.id ?? 0,
          endpointId: id as string,
          attempt: { ...attempt, ...headers },
          result: { kind: 'retry', dueAt: now + 10_000 },
          now,
        },
      ],
      10,
    );
    const all = await log(id as string, '?limit=2');
    expect(all.data.map((one: { id: string }) => one.id)).toEqual([rows[2]?.public_id, rows[1]?.public_id]);
    const rest = await log(id as string, `?limit=2&cursor=${String(all.next_cursor)}`);
    expect(rest).toMatchObject({ has_more: false, data: [{ id: rows[0]?.public_id }] });
    expect(rest.data[0]).toMatchObject({
      attempts: [
        {
          ...attempt,
          at: '2026-01-02T00:00:00.000Z',
          request_headers: { 'Service-Attempt': '1' },
          request_body: null,
          response_headers: { 'content-type': 'text/plain' },
        },
      ],
      request_body: rows[0]?.payload,
      replay_of: null,
      next_attempt_at: '2026-01-02T00:00:10.000Z',
      event_id: expect.stringMatching(/^evt_/) as unknown,
    });
    expect((await log(id as string, '?event=message.delivered')).data).toHaveLength(1);
    expect((await log(id as string, '?status=failed')).data).toEqual([]);
    expect((await api.ask('GET', `${ENDPOINTS}/${String(id)}/deliveries?status=lost`)).status).toBe(422);
    await api.ask('PATCH', `${ENDPOINTS}/${String(id)}`, { body: { status: 'disabled' } });
    expect((await log(id as string)).data[0].next_attempt_at).toBeNull();
  });

  it('are deleted with their endpoint', async () => {
    const { id } = await make();
    await api.ask('POST', `${ENDPOINTS}/${String(id)}/test`);
    const answer = await api.ask('DELETE', `${ENDPOINTS}/${String(id)}`);
    expect(answer).toMatchObject({ status: 200, json: { id, object: 'webhook_endpoint', deleted: true } });
    expect((await api.ask('GET', `${ENDPOINTS}/${String(id)}`)).status).toBe(404);
    expect((await api.ask('DELETE', `${ENDPOINTS}/${String(id)}`)).status).toBe(404);
    const page = { limit: 5, after: null };
    expect(
      (await api.store.webhooks.deliveries(await api.scopeOf('live'), id as string, page, {})).rows,
    ).toEqual([]);
  });
});
