// Tests the request log through the API.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forgettingOf } from '../support/forgetting.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const START = Date.UTC(2026, 2, 1);
let now = START;
let api: StartedApi;

beforeAll(async () => {
  api = await startApi({ clock: () => (now += 1) });
});
afterAll(() => api.close());

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the answers' shapes are what is tested
async function list(query = '', key?: string): Promise<any[]> {
  // A request is logged after its response was sent.
  await nextTurn();
  const answer = await api.ask('GET', `/v1/requests?limit=100${query}`, key === undefined ? {} : { key });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json.data as unknown[];
}

it('shows requests and their results without personal data', async () => {
  const headers = { 'x-request-id': 'abc-123' };
  const body = { email: 'ann@shop.example', name: 'Ann', metadata: { size: 'ann-size' } };
  expect((await api.ask('POST', '/v1/contacts', { body, headers })).status).toBe(201);
  const bad = { email: 'ann@shop.example', tags: 7, password: 'ann-secret' };
  expect((await api.ask('POST', '/v1/contacts', { body: bad })).status).toBe(422);
  await api.ask('GET', '/v1/contacts/joanna@shop.example');
  const rows = await list();
  expect(rows.map(({ method, path, status, code }) => [method, path, status, code])).toEqual([
    ['GET', '/v1/contacts/:id', 404, 'not_found'],
    ['POST', '/v1/contacts', 422, 'validation_error'],
    ['POST', '/v1/contacts', 201, null],
  ]);
  expect(rows[2]).toMatchObject({
    ...{ object: 'request', operation: 'contacts.upsert', actor: { kind: 'api_key' }, sub_tenant_id: null },
    ...{ request_id: 'abc-123', query: null },
    body: { email: '***@shop.example', name: '[3 characters]', metadata: '[1 fields]' },
  });
  expect(rows[1].body).toEqual({ email: '***@shop.example', tags: 7, password: '[redacted]' });
  expect(JSON.stringify(rows)).not.toMatch(/ann[a@]/i);
});

it('can be filtered by status, method, path, key, code and time', async () => {
  const paths = async (query: string) => (await list(query)).map(({ status }) => status);
  expect(await paths('&status=422')).toEqual([422]);
  expect(await paths('&status=4xx')).toEqual([404, 422]);
  expect(await paths('&method=POST')).toEqual([422, 201]);
  expect(await paths('&path=/v1/contacts/')).toEqual([404]);
  expect(await paths('&code=not_found')).toEqual([404]);
  const key = (await list())[0].actor.id as string;
  expect(await paths(`&actor_id=${key}`)).toHaveLength(3);
  expect(await paths('&actor_id=key_other')).toEqual([]);
  expect(await paths('&actor_kind=api_key')).toHaveLength(3);
  expect(await paths('&actor_kind=user')).toEqual([]);
  expect(await paths(`&until=${new Date(START).toISOString()}`)).toEqual([]);
  expect(await paths(`&since=${new Date(START).toISOString()}`)).toHaveLength(3);
  expect((await api.ask('GET', '/v1/requests?status=4x')).status).toBe(422);
  const first = (await api.ask('GET', '/v1/requests?limit=2')).json;
  const second = (await api.ask('GET', `/v1/requests?limit=2&cursor=${first.next_cursor}`)).json;
  expect([first.data.length, second.data.length, second.has_more]).toEqual([2, 1, false]);
});

it('shows one environment, and one sub-tenant to its key; a read-only key sees nothing', async () => {
  expect(await list('', api.testKey)).toEqual([]);
  const tenantId = await api.addTenant('acme');
  const pinned = await api.addKey({ subTenantId: tenantId });
  expect(await list('', pinned)).toEqual([]);
  await api.ask('GET', '/v1/contacts', { key: pinned });
  expect(await list('', pinned)).toMatchObject([{ path: '/v1/contacts', sub_tenant_id: tenantId }]);
  expect(await list('&path=/v1/contacts')).toHaveLength(4);
  const reads = await api.addKey({ permission: 'read' });
  expect((await api.ask('GET', '/v1/requests', { key: reads })).status).toBe(403);
  expect((await api.ask('GET', '/v1/requests', { key: '' })).status).toBe(401);
});

it('keeps a limited number per minute, more failures than successes', async () => {
  now += 60_000;
  for (let i = 0; i < 40; i++) {
    await api.ask('GET', '/v1/contacts', { key: api.testKey });
    await api.ask('GET', '/v1/contacts/cnt_none', { key: api.testKey });
  }
  expect(await list('&status=200', api.testKey)).toHaveLength(30);
  expect(await list('&status=404', api.testKey)).toHaveLength(40);
  now += 60_000;
  await api.ask('GET', '/v1/contacts', { key: api.testKey });
  expect(await list('&status=200', api.testKey)).toHaveLength(31);
});

it('deletes old requests', async () => {
  const forget = forgettingOf(api.store, 'old requests', { requestLogKeepMs: 90_000, clock: () => now });
  expect(await forget()).toBeGreaterThan(3);
  expect(await list('&status=404', api.testKey)).toHaveLength(40);
  now += 90_000;
  await forget();
  expect(await list('', api.testKey)).toEqual([]);
});
