// Tests contacts through the API.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type StartedApi } from '../support/start-api.js';
import { CONSENT } from '../support/consent.js';
import { contactLists } from '../../src/contacts/lists/lists.tables.js';
import { insert } from '../../src/database/rows.js';
import { joinList } from '../../src/contacts/contact-changes.store.js';

let server: Awaited<ReturnType<typeof startApi>>;
let api: StartedApi;
beforeAll(async () => {
  server = await startApi();
});
beforeEach(async () => {
  api = await server.inNewWorkspace();
});
afterAll(() => server.close());

const put = (body: object) => api.ask('POST', '/v1/contacts', { body });

describe('posting a contact', () => {
  it('creates it, and then changes only the given fields', async () => {
    const made = await put({
      email: 'Ann@Example.com',
      name: 'Ann Smith',
      tags: ['vip', 'vip', 'beta'],
      metadata: { plan: 'pro' },
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      object: 'contact',
      email: 'Ann@Example.com',
      name: 'Ann Smith',
      phone: null,
      tags: ['vip', 'beta'],
      metadata: { plan: 'pro' },
      status: 'active',
      sub_tenant_id: null,
    });
    const again = await put({ email: 'ann@example.COM', phone: '+49 421 1' });
    expect(again.status).toBe(200);
    expect(again.json).toMatchObject({
      id: made.json.id,
      name: 'Ann Smith',
      phone: '+49 421 1',
      tags: ['vip', 'beta'],
    });
  });

  it('creates one contact for simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => put({ email: 'ann@example.com' })));
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map((one) => one.json.id as string)).size).toBe(1);
  });

  it('keeps a metadata key named __proto__', async () => {
    const made = await api.ask('POST', '/v1/contacts', {
      body: '{"email":"a@x.example","metadata":{"__proto__":{"x":1}}}',
      headers: { 'content-type': 'application/json' },
    });
    expect(made.text).toContain('"metadata":{"__proto__":{"x":1}}');
    const read = await api.ask('GET', '/v1/contacts/a@x.example');
    expect(read.text).toContain('"metadata":{"__proto__":{"x":1}}');
  });

  it('accepts metadata up to 16 KiB', async () => {
    const over = await put({ email: 'a@x.example', metadata: { a: 'x'.repeat(16 * 1024) } });
    expect([over.status, over.json.error.param]).toEqual([422, 'metadata']);
    const metadata = { a: 'x'.repeat(16 * 1024 - '{"a":""}'.length) };
    expect((await put({ email: 'a@x.example', metadata })).status).toBe(201);
  });

  it.each([
    ['name', { name: 'Ann\r\nBcc: eve@example.com' }],
    ['phone', { phone: '1\u0000' }],
    ['tags.1', { tags: ['vip', 'half \ud83d'] }],
    ['metadata', { metadata: { city: '\ud83d' } }],
    ['metadata', { metadata: { number: 2 ** 60 } }],
  ])('refuses a %s that mail could not contain unchanged', async (param, fields) => {
    const made = await put({ email: 'a@x.example', ...fields });
    expect([made.status, made.json.error.param]).toEqual([422, param]);
  });
});

it('changes its suppression together with its status', async () => {
  const url = '/v1/contacts/ann@example.com';
  const reasons = async () =>
    ((await api.ask('GET', '/v1/suppressions')).json.data as { reason: string }[]).map((one) => one.reason);
  await put({ email: 'ann@example.com' });
  for (const ask of [
    (status: string) => api.ask('PATCH', url, { body: { status } }),
    (status: string) => put({ email: 'ann@example.com', status }),
  ]) {
    expect((await ask('unsubscribed')).json.status).toBe('unsubscribed');
    expect(await reasons()).toEqual(['unsubscribe']);
    expect((await ask('active')).json.status).toBe('active');
    expect(await reasons()).toEqual([]);
  }
  expect((await put({ email: 'bob@example.com', status: 'unsubscribed' })).json.status).toBe('unsubscribed');
  expect(await reasons()).toEqual(['unsubscribe']);
});

it.each(['bounce', 'complaint', 'manual'])(
  'cannot become active while its address is suppressed for the reason %s',
  async (reason) => {
    const url = '/v1/contacts/ann@example.com';
    await put({ email: 'ann@example.com' });
    await api.ask('POST', '/v1/suppressions', { body: { email: 'ann@example.com', reason } });
    const refused = await api.ask('PATCH', url, { body: { status: 'active', name: 'Ann' } });
    expect([refused.status, refused.json.error.code]).toEqual([409, 'recipient_suppressed']);
    const { status, name } = (await api.ask('GET', url)).json;
    expect([status === 'active', name]).toEqual([false, null]);
    expect((await api.ask('GET', '/v1/suppressions')).json.data).toMatchObject([{ reason }]);
  },
);

it('is read, changed and deleted by id or by address', async () => {
  const { id } = (await put({ email: 'Ann@Example.com', metadata: { a: 1 } })).json as { id: string };
  expect((await api.ask('GET', `/v1/contacts/${id}`)).json.id).toBe(id);
  const byAddress = `/v1/contacts/${encodeURIComponent('ANN@example.com')}`;
  const changed = await api.ask('PATCH', byAddress, {
    body: { name: null, metadata: { b: 2 }, status: 'unsubscribed' },
  });
  expect(changed.json).toMatchObject({ id, metadata: { b: 2 }, status: 'unsubscribed' });
  expect((await api.ask('DELETE', byAddress)).json).toEqual({ id, object: 'contact', deleted: true });
  expect((await api.ask('GET', `/v1/contacts/${id}`)).status).toBe(404);
});

it('belongs to its environment, and the other may have the same address', async () => {
  const live = await put({ email: 'ann@example.com', name: 'Live' });
  const key = api.testKey;
  expect((await api.ask('GET', '/v1/contacts', { key })).json).toMatchObject({ data: [], total: 0 });
  expect((await api.ask('GET', '/v1/contacts/ann@example.com', { key })).status).toBe(404);
  const made = await api.ask('POST', '/v1/contacts', {
    key,
    body: { email: 'ann@example.com', name: 'Test' },
  });
  expect(made.status).toBe(201);
  expect((await api.ask('DELETE', '/v1/contacts/ann@example.com', { key })).status).toBe(200);
  const { json } = await api.ask('GET', '/v1/contacts/ann@example.com');
  expect(json).toMatchObject({ id: live.json.id, name: 'Live' });
});

it('is listed with the number of matches', async () => {
  for (const name of ['ann', 'bob', 'bo']) await put({ email: `${name}@example.com` });
  const page = (await api.ask('GET', '/v1/contacts?limit=1')).json;
  expect([page.data.length, page.has_more, page.total]).toEqual([1, true, 3]);
  expect((await api.ask('GET', `/v1/contacts?limit=1&cursor=${page.next_cursor}`)).json.total).toBe(3);
  expect((await api.ask('GET', '/v1/contacts?q=bo')).json.total).toBe(2);
});

it("a sub-tenant's contact may have the address of a workspace contact", async () => {
  const tenant = await api.addTenant('acme');
  const headers = { 'x-sub-tenant-id': tenant };
  await put({ email: 'ann@example.com', name: 'Workspace' });
  const made = await api.ask('POST', '/v1/contacts', {
    headers,
    body: { email: 'ann@example.com', name: 'Tenant' },
  });
  expect([made.status, made.json.sub_tenant_id]).toEqual([201, tenant]);
  expect((await api.ask('GET', '/v1/contacts/ann@example.com', { headers })).json.name).toBe('Tenant');
  expect((await api.ask('GET', '/v1/contacts/ann@example.com')).json.name).toBe('Workspace');
});

it('is found by part of address or name, by tag and by status', async () => {
  await put({ email: 'ann@example.com', name: 'Ann Smith', tags: ['vip'] });
  await put({ email: 'bob@example.com', tags: ['vips'], status: 'unsubscribed' });
  const found = async (query: string) =>
    ((await api.ask('GET', `/v1/contacts?${query}`)).json.data as { email: string }[]).map(
      (one) => one.email,
    );
  expect(await found('q=SMITH')).toEqual(['ann@example.com']);
  expect(await found('q=bob@')).toEqual(['bob@example.com']);
  expect(await found('tag=vip')).toEqual(['ann@example.com']);
  expect(await found('status=unsubscribed')).toEqual(['bob@example.com']);
});

it('is found by its list, combined with other filters', async () => {
  const now = 1;
  await api.store.commit([
    insert(contactLists, {
      row: {
        ...{
          id: 'lst_1',
          environment_id: (await api.scopeOf('live')).environmentId,
          sub_tenant_id: null,
          name: 'News',
          description: null,
        },
        ...{ double_opt_in: 0, confirmation_template_id: null, filter: null, contacts: 0, counted_at: null },
        ...{ created_at: now, updated_at: now, deleted_at: null },
      },
    }),
  ]);
  const rows = [];
  for (const name of ['ann', 'anna', 'bob']) rows.push((await put({ email: `${name}@example.com` })).json);
  for (const { id: contactId } of rows.slice(1) as { id: string }[]) {
    await api.store.commit([
      joinList({
        ...{ listNumber: 1, contactId, state: 'subscribed', returned: false, consent: CONSENT, at: now },
      }),
    ]);
  }
  const list = async (query: string) => (await api.ask('GET', `/v1/contacts?${query}`)).json;
  expect(await list('list_id=lst_1&limit=1')).toMatchObject({ total: 2, total_exact: true, has_more: true });
  expect((await list('list_id=lst_1&q=ann')).data).toMatchObject([{ email: 'anna@example.com' }]);
  const unknown = await api.ask('GET', '/v1/contacts?list_id=lst_2');
  expect([unknown.status, unknown.json.error.code]).toEqual([422, 'list_not_found']);
  await api.ask('DELETE', '/v1/contacts/anna@example.com');
  expect((await list('list_id=lst_1')).total).toBe(1);
});

describe("unsubscribing a sub-tenant's contact with a workspace key", () => {
  const check = async (query: string) =>
    (await api.ask('GET', `/v1/suppressions/check?email=ann@x.example${query}`)).json as {
      suppressed: boolean;
      scope: string | null;
    };

  it.each(['its id', 'its address within the sub-tenant', 'an upsert with its sub-tenant'])(
    'blocks only that sub-tenant, by %s',
    async (how) => {
      const tenant = await api.addTenant('acme');
      const other = await api.addTenant('other');
      const made = await put({ email: 'ann@x.example', sub_tenant_id: tenant });
      const body = { status: 'unsubscribed' };
      const headers = { 'x-sub-tenant-id': tenant };
      const answer =
        how === 'its id'
          ? await api.ask('PATCH', `/v1/contacts/${made.json.id as string}`, { body })
          : how === 'an upsert with its sub-tenant'
            ? await put({ email: 'ann@x.example', sub_tenant_id: tenant, ...body })
            : await api.ask('PATCH', '/v1/contacts/ann@x.example', { body, headers });
      expect([answer.status, answer.json.status]).toEqual([200, 'unsubscribed']);
      expect(await check(`&sub_tenant_id=${tenant}`)).toMatchObject({
        suppressed: true,
        scope: 'sub_tenant',
      });
      expect(await check(`&sub_tenant_id=${other}`)).toMatchObject({ suppressed: false });
      expect(await check('')).toMatchObject({ suppressed: false });
    },
  );
});
