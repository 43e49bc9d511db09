// Tests suppressions through the API.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type StartedApi } from '../support/start-api.js';
import type { Suppression } from '../../src/suppressions/suppressions.tables.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';
import { update } from '../../src/database/rows.js';

let server: Awaited<ReturnType<typeof startApi>>;
let api: StartedApi;
let tenant: string;
beforeAll(async () => {
  server = await startApi();
});
beforeEach(async () => {
  api = await server.inNewWorkspace();
  tenant = await api.addTenant('acme');
});
afterAll(() => server.close());

const add = (body: object, headers: Record<string, string> = {}) =>
  api.ask('POST', '/v1/suppressions', { body, headers });
const check = async (email: string, query = '') =>
  (await api.ask('GET', `/v1/suppressions/check?email=${encodeURIComponent(email)}${query}`)).json as unknown;
const lift = (email: string, query = '') =>
  api.ask('DELETE', `/v1/suppressions/${encodeURIComponent(email)}${query}`);

it('returns 201 for a new address, and 200 without a change for a known one, in any spelling', async () => {
  const made = await add({ email: 'Ann@Example.com' });
  expect(made.status).toBe(201);
  expect(made.json).toMatchObject({
    object: 'suppression',
    email: 'Ann@Example.com',
    reason: 'manual',
    sub_tenant_id: null,
    message_id: null,
  });
  const again = await add({ email: 'ann@EXAMPLE.com', reason: 'bounce' });
  expect([again.status, again.json]).toEqual([200, made.json]);
});

it('creates one row for simultaneous requests', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => add({ email: 'ann@example.com' })));
  expect(new Set(answers.map((one) => one.json.id as string)).size).toBe(1);
  expect(answers.filter((one) => one.status === 201)).toHaveLength(1);
});

it('can be read and lifted by the URL-encoded address', async () => {
  const email = 'ann+news/letters@bücher.example';
  await add({ email });
  expect(await check(email)).toEqual({ email, suppressed: true, reason: 'manual', scope: 'workspace' });
  const lifted = await lift('ann+news/letters@xn--bcher-kva.example');
  expect(lifted.json).toMatchObject({ object: 'suppression', deleted: true });
  expect(await check(email)).toEqual({ email, suppressed: false, reason: null, scope: null });
  expect((await lift(email)).status).toBe(404);
});

describe('a suppression of a sub-tenant', () => {
  it("blocks only that sub-tenant, and the workspace's blocks all", async () => {
    await add({ email: 't@x.example', sub_tenant_id: tenant, reason: 'complaint' });
    await add({ email: 'w@x.example' });
    expect(await check('t@x.example')).toMatchObject({ suppressed: false });
    expect(await check('t@x.example', `&sub_tenant_id=${tenant}`)).toMatchObject({
      suppressed: true,
      reason: 'complaint',
      scope: 'sub_tenant',
    });
    expect(await check('w@x.example', `&sub_tenant_id=${tenant}`)).toMatchObject({ scope: 'workspace' });
  });

  it("is not lifted with the workspace's, and a pinned key cannot lift the workspace's", async () => {
    await add({ email: 't@x.example' }, { 'x-sub-tenant-id': tenant });
    await add({ email: 'w@x.example' });
    expect((await lift('t@x.example')).status).toBe(404);
    const key = await api.addKey({ subTenantId: tenant });
    expect((await api.ask('DELETE', '/v1/suppressions/w@x.example', { key })).status).toBe(404);
    expect((await lift('t@x.example', `?sub_tenant_id=${tenant}`)).status).toBe(200);
  });
});

it('belongs to one environment', async () => {
  await add({ email: 'ann@example.com' });
  const seen = await api.ask('GET', '/v1/suppressions', { key: api.testKey });
  expect(seen.json.data).toEqual([]);
});

it('is listed newest first in pages, and found by reason and part of the address', async () => {
  for (let i = 0; i < 5; i++) await add({ email: `p${i}@x.example`, reason: i === 3 ? 'bounce' : 'manual' });
  const seen: string[] = [];
  let cursor = '';
  for (let pages = 0; pages < 5; pages++) {
    const { json } = await api.ask('GET', `/v1/suppressions?limit=2${cursor}`);
    seen.push(...(json.data as { email: string }[]).map((one) => one.email));
    expect(json.has_more).toBe(json.next_cursor !== null);
    if (json.next_cursor === null) break;
    cursor = `&cursor=${json.next_cursor as string}`;
  }
  expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4].map((i) => `p${i}@x.example`));
  expect((await api.ask('GET', '/v1/suppressions?reason=bounce')).json.data).toHaveLength(1);
  expect((await api.ask('GET', '/v1/suppressions?q=P4@')).json.data).toHaveLength(1);
});

describe('the list', () => {
  const emails = async (query: string, headers: Record<string, string> = {}) =>
    ((await api.ask('GET', `/v1/suppressions?${query}`, { headers })).json.data as { email: string }[]).map(
      (one) => one.email,
    );

  it('can be limited to a sub-tenant by filter, header and key', async () => {
    await add({ email: 't@x.example', sub_tenant_id: tenant, reason: 'bounce' });
    await add({ email: 't2@x.example', sub_tenant_id: tenant });
    await add({ email: 'w@x.example', reason: 'bounce' });
    expect(await emails(`sub_tenant_id=${tenant}`)).toHaveLength(2);
    expect(await emails('', { 'x-sub-tenant-id': tenant })).toHaveLength(2);
    expect(await emails(`sub_tenant_id=${tenant}&reason=bounce`)).toEqual(['t@x.example']);
    expect(await emails('reason=bounce')).toHaveLength(2);
    expect(await emails('sub_tenant_id=tnt_other')).toEqual([]);
    const key = await api.addKey({ subTenantId: tenant });
    const pinned = await api.ask('GET', '/v1/suppressions', { key });
    expect(pinned.json.data).toHaveLength(2);
    const other = await api.ask('GET', '/v1/suppressions?sub_tenant_id=tnt_other', { key });
    expect(other.json.data).toEqual([]);
  });

  it('can be limited by times, including the first and excluding the second', async () => {
    const { json } = await add({ email: 'ann@x.example' });
    const at = encodeURIComponent(json.created_at as string);
    expect(await emails(`created_after=${at}`)).toEqual(['ann@x.example']);
    expect(await emails(`created_before=${at}`)).toEqual([]);
    expect(await emails('created_after=1960-01-01&created_before=2999-01-01')).toEqual(['ann@x.example']);
    expect(await emails('created_after=2999-01-01')).toEqual([]);
    const wrong = await api.ask('GET', '/v1/suppressions?created_after=yesterday');
    expect([wrong.status, wrong.json.error.param]).toEqual([422, 'created_after']);
  });

  it('refuses NUL, which one of the databases cannot compare', async () => {
    for (const field of ['q', 'sub_tenant_id']) {
      const answer = await api.ask('GET', `/v1/suppressions?${field}=%00`);
      expect([answer.status, answer.json.error.param]).toEqual([422, field]);
    }
  });
});

describe('lifting', () => {
  const statusOf = async (email: string) =>
    (await api.ask('GET', `/v1/contacts/${email}`)).json.status as string;

  async function addContact(reason: Suppression['reason']): Promise<void> {
    await api.ask('POST', '/v1/contacts', { body: { email: 'ann@x.example' } });
    await add({ email: 'ann@x.example', reason });
  }

  it.each([
    ['unsubscribed', 'unsubscribe'],
    ['bounced', 'bounce'],
    ['complained', 'complaint'],
    ['unsubscribed', 'manual'],
  ] as const)('reactivates the contact that was %s for the reason %s', async (status, reason) => {
    await addContact(reason);
    expect(await statusOf('ann@x.example')).toBe(status);
    expect((await lift('ANN@x.example')).status).toBe(200);
    expect(await statusOf('ann@x.example')).toBe('active');
  });

  it('leaves no contact unsubscribed that gets mail again, regardless of the reason', async () => {
    await add({ email: 'ann@x.example' });
    await api.ask('POST', '/v1/contacts', { body: { email: 'ann@x.example', status: 'unsubscribed' } });
    await lift('ann@x.example');
    expect(await statusOf('ann@x.example')).toBe('active');
    expect(await check('ann@x.example')).toMatchObject({ suppressed: false });
  });

  it('in test does not change contacts, which live mail shares', async () => {
    await addContact('bounce');
    const body = { email: 'ann@x.example', reason: 'bounce' };
    await api.ask('POST', '/v1/suppressions', { key: api.testKey, body });
    expect((await api.ask('DELETE', '/v1/suppressions/ann@x.example', { key: api.testKey })).status).toBe(
      200,
    );
    expect(await statusOf('ann@x.example')).toBe('bounced');
    expect(await check('ann@x.example')).toMatchObject({ suppressed: true });
  });

  it('works by id too, within the reach of the key', async () => {
    const workspaces = (await add({ email: 'w@x.example' })).json.id as string;
    const tenants = (await add({ email: 't@x.example', sub_tenant_id: tenant })).json.id as string;
    const key = await api.addKey({ subTenantId: tenant });
    expect((await api.ask('DELETE', `/v1/suppressions/${workspaces}`, { key })).status).toBe(404);
    expect((await api.ask('DELETE', `/v1/suppressions/${tenants}`, { key: api.testKey })).status).toBe(404);
    expect((await lift(tenants)).json).toMatchObject({ id: tenants, deleted: true });
    expect((await lift(tenants)).status).toBe(404);
  });

  it('requires a key with the permission `full`', async () => {
    await add({ email: 'ann@x.example' });
    for (const permission of ['read', 'send'] as const) {
      const key = await api.addKey({ permission });
      expect((await api.ask('DELETE', '/v1/suppressions/ann@x.example', { key })).status).toBe(403);
    }
    expect(await check('ann@x.example')).toMatchObject({ suppressed: true });
  });
});

it('survives its sub-tenant, and can be listed and lifted by id', async () => {
  const { json } = await add({ email: 't@x.example', sub_tenant_id: tenant });
  const now = Date.now();
  await api.store.commit([update(subTenants, { set: { deleted_at: now }, where: { id: tenant } })]);
  const listed = await api.ask('GET', `/v1/suppressions?sub_tenant_id=${tenant}`);
  expect(listed.json.data).toMatchObject([{ id: json.id, sub_tenant_id: tenant }]);
  expect((await lift(json.id as string)).status).toBe(200);
});

it.each(['nonsense', 'MTIz', Buffer.from('sup_x').toString('base64url')])(
  'refuses the cursor %s, which no list returned',
  async (cursor) => {
    const answer = await api.ask('GET', `/v1/suppressions?cursor=${cursor}`);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_cursor']);
  },
);

it('refuses an invalid address, naming the field', async () => {
  const answer = await add({ email: 'ann' });
  expect([answer.status, answer.json.error.param]).toEqual([422, 'email']);
});
