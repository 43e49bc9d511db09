// Tests Idempotency-Key for operations that create or start something other than a message.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forgettingOf } from '../support/forgetting.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { idempotentRequests } from '../../src/http/idempotency/idempotency.tables.js';
import { update } from '../../src/database/rows.js';

const DAY = 86_400_000;
let now = Date.UTC(2026, 0, 2);
let api: StartedApi;
beforeAll(async () => {
  api = await startApi({ clock: () => now });
});
afterAll(() => api.close());

async function post(path: string, body: object | undefined, key: string, more: { key?: string } = {}) {
  return api.ask('POST', path, { body, headers: { 'idempotency-key': key }, ...more });
}

async function lists(): Promise<number> {
  return ((await api.ask('GET', '/v1/contacts?limit=100')).json.data as unknown[]).length;
}

/** As after a crash between the change and its response. */
async function loseAnswer(key: string): Promise<void> {
  await api.store.commit([
    update(idempotentRequests, { set: { status: null, answer: null }, where: { key } }),
  ]);
}

it('a repeated request returns the first response and changes nothing', async () => {
  const first = await post('/v1/contacts', { email: 'ann@example.com', name: 'Ann' }, 'k1');
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
  await api.ask('PATCH', `/v1/contacts/${String(first.json.id)}`, { body: { name: 'Other' } });
  const before = await lists();
  // The order of the fields does not matter.
  const again = await post('/v1/contacts', { name: 'Ann', email: 'ann@example.com' }, 'k1');
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(again.json).toEqual(first.json);
  expect(again.headers['content-type']).toContain('application/json');
  expect(await lists()).toBe(before);
});

it('a different request with the key is refused, and each scope has its own keys', async () => {
  await post('/v1/contacts', { email: 'b@example.com' }, 'k2');
  const other = await post('/v1/contacts', { email: 'c@example.com' }, 'k2');
  expect([other.status, other.json.error.code]).toEqual([409, 'idempotency_key_reused']);
  const suppression = await post('/v1/suppressions', { email: 'b@example.com', reason: 'manual' }, 'k2');
  expect(suppression.status).toBe(201);
  const test = await post('/v1/contacts', { email: 'c@example.com' }, 'k2', { key: api.testKey });
  expect(test.status).toBe(201);
  const tenant = await api.addTenant('tenant');
  const pinned = await api.addKey({ subTenantId: tenant });
  const tenants = await post('/v1/contacts', { email: 'd@example.com' }, 'k2', { key: pinned });
  expect([tenants.status, tenants.json.sub_tenant_id]).toEqual([201, tenant]);
});

it('a request that was refused before any change can be repeated with its key', async () => {
  const bad = await post('/v1/contacts', { email: 'nobody' }, 'k3');
  expect(bad.status).toBe(422);
  const good = await post('/v1/contacts', { email: 'nobody@example.com' }, 'k3');
  expect([good.status, good.headers['idempotent-replayed']]).toEqual([201, undefined]);
});

it('one of two simultaneous requests takes effect, and the other is asked to retry', async () => {
  const both = await Promise.all(
    [1, 2, 3].map(() => post('/v1/contacts', { email: 'two@example.com' }, 'k4')),
  );
  const statuses = both.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, 409, 409]);
  const refused = both.find(({ status }) => status === 409);
  expect(refused?.json.error.code).toBe('idempotency_key_in_use');
  expect(refused?.headers['retry-after']).toBe('1');
  expect((await post('/v1/contacts', { email: 'two@example.com' }, 'k4')).status).toBe(201);
});

it('a response lost in a crash is reported with the created objects, and nothing happens twice', async () => {
  const first = await post('/v1/contacts', { email: 'crash@example.com' }, 'k5');
  await loseAnswer('k5');
  const before = await lists();
  const again = await post('/v1/contacts', { email: 'crash@example.com' }, 'k5');
  expect([again.status, again.json.error.code]).toEqual([409, 'idempotency_answer_lost']);
  expect(again.json.error.details).toEqual({ id: first.json.id });
  expect(await lists()).toBe(before);
});

it('a secret is shown again only to its creator, and stored encrypted', async () => {
  const body = { name: 'Shop', permission: 'full' };
  const first = await post('/v1/api-keys', body, 'k6');
  const { secret } = first.json as { secret: string };
  expect((await post('/v1/api-keys', body, 'k6')).json.secret).toBe(secret);
  const outsider = await post('/v1/api-keys', body, 'k6', { key: await api.addKey({}) });
  expect([outsider.status, outsider.json.error.code]).toEqual([409, 'idempotency_key_reused']);
  const row = await api.store.idempotency.find(
    `${(await api.scopeOf('live')).environmentId}  POST /v1/api-keys`,
    'k6',
    0,
  );
  expect(row?.answer).toMatch(/^[A-Za-z0-9+/=]+$/);
  expect(JSON.stringify(row)).not.toContain(secret);
  expect(Buffer.from(row?.answer ?? '', 'base64').toString('latin1')).not.toContain(secret);
});

it('deleting twice with one key returns the same response', async () => {
  const made = await api.ask('POST', '/v1/contacts', { body: { email: 'gone@example.com' } });
  const path = `/v1/contacts/${String(made.json.id)}`;
  const headers = { 'idempotency-key': 'k7' };
  const [first, again] = [
    await api.ask('DELETE', path, { headers }),
    await api.ask('DELETE', path, { headers }),
  ];
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.json).toEqual(first.json);
});

it('a replay writes no audit entry', async () => {
  const entries = async () =>
    ((await api.ask('GET', '/v1/audit-log?limit=100')).json.data as unknown[]).length;
  await post('/v1/contacts', { email: 'audited@example.com' }, 'k8');
  const before = await entries();
  await post('/v1/contacts', { email: 'audited@example.com' }, 'k8');
  expect(await entries()).toBe(before);
});

it('a key is refused with an explanation where it is not supported, and never ignored', async () => {
  const headers = { 'idempotency-key': 'k9' };
  const refused = [
    await api.ask('GET', '/v1/contacts', { headers }),
    await api.ask('POST', '/v1/suppressions/import', {
      headers: { ...headers, 'content-type': 'text/csv' },
      body: Buffer.from('email\na@example.com\n'),
    }),
  ];
  for (const { status, json } of refused) {
    expect([status, json.error.code, json.error.param]).toEqual([400, 'bad_request', 'Idempotency-Key']);
  }
  const long = await post('/v1/contacts', { email: 'e@example.com' }, 'k'.repeat(256));
  expect([long.status, long.json.error.param]).toEqual([422, 'Idempotency-Key']);
});

it('a key is deleted after a day', async () => {
  const first = await post('/v1/contacts', { email: 'day@example.com' }, 'k10');
  const forget = forgettingOf(api.store, 'old answers', { clock: () => now });
  now += DAY - 1;
  expect(await forget()).toBe(0);
  const again = await post('/v1/contacts', { email: 'day@example.com' }, 'k10');
  expect(again.json.id).toBe(first.json.id);
  now += 2;
  const later = await post('/v1/contacts', { email: 'later@example.com' }, 'k10');
  expect([later.status, later.headers['idempotent-replayed']]).toEqual([201, undefined]);
  expect(await forget()).toBeGreaterThan(5);
  const kept = await post('/v1/contacts', { email: 'later@example.com' }, 'k10');
  expect(kept.json.id).toBe(later.json.id);
});
