// Tests that audit log entries are written with the change itself, and not without a change.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditInsert } from '../../src/accounts/audit/audit.store.js';
import { forgettingOf } from '../support/forgetting.js';
import { fixedClock } from '../support/fixed-clock.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { organizations } from '../../src/accounts/accounts.tables.js';
import { update } from '../../src/database/rows.js';

const clock = fixedClock();
let api: StartedApi;
beforeAll(async () => {
  // No two requests are in the same millisecond, because their entries would have no order.
  api = await startApi({ clock: () => clock.advance(1) });
});
afterAll(() => api.close());

interface Entry {
  id: string;
  action: string;
  actor: { kind: string; id: string };
  target_id: string | null;
  detail: { fields: string[]; values?: Record<string, unknown>; made?: string };
  workspace_id: string | null;
  sub_tenant_id: string | null;
  mode: string;
  ip: string | null;
  request_id: string;
}

async function log(query = '', key?: string): Promise<Entry[]> {
  const answer = await api.ask('GET', `/v1/audit-log${query}`, key === undefined ? {} : { key });
  expect(answer.status).toBe(200);
  return answer.json.data as Entry[];
}

async function keyOf(secret: string): Promise<string> {
  const keys = (await api.ask('GET', '/v1/api-keys')).json.data as { id: string; key_prefix: string }[];
  return keys.find(({ key_prefix }) => secret.startsWith(key_prefix))?.id ?? '';
}

describe('a request that changes something', () => {
  it('leaves one entry with the actor, the request and the created object', async () => {
    const body = { name: 'Shop', permission: 'send', mode: 'test' };
    const made = await api.ask('POST', '/v1/api-keys', { body, headers: { 'x-request-id': 'audit-1' } });
    const [entry] = await log();
    expect(entry).toEqual({
      id: expect.stringMatching(/^aud_/) as string,
      object: 'audit_entry',
      action: 'apiKeys.create',
      actor: { kind: 'api_key', id: await keyOf(api.liveKey) },
      target_id: made.json.id as string,
      detail: { fields: ['mode', 'name', 'permission'], values: body },
      workspace_id: api.workspaceId,
      sub_tenant_id: null,
      mode: 'live',
      ip: '127.0.0.1',
      request_id: 'audit-1',
      occurred_at: expect.stringMatching(/Z$/) as string,
    });
    expect(JSON.stringify(await log())).not.toContain(made.json.secret);
  });

  it('names the changed object and objects that were created with it', async () => {
    const { id } = (await api.ask('POST', '/v1/api-keys', { body: { name: 'Old' } })).json as { id: string };
    const rotated = await api.ask('POST', `/v1/api-keys/${id}/rotate`);
    const [entry] = await log(`?target_id=${id}&action=apiKeys.rotate`);
    expect(entry).toMatchObject({ target_id: id, detail: { made: rotated.json.id as string } });
  });

  it('belongs to the organization if all workspaces share the object', async () => {
    await api.ask('PATCH', '/v1/organization', {
      body: { postal_address: 'Secret street 1', track_opens: false },
    });
    const [entry] = await log('?action=organization.update');
    expect(entry).toMatchObject({
      workspace_id: null,
      detail: { fields: ['postal_address', 'track_opens'], values: { track_opens: false } },
    });
    expect(JSON.stringify(entry)).not.toContain('Secret street');
  });

  it('names none of the objects that an import creates', async () => {
    const body = [{ email: 'one@import.example' }, { email: 'two@import.example' }];
    const answer = await api.ask('POST', '/v1/suppressions/import', { body });
    expect(answer.json).toMatchObject({ created: 2 });
    const entries = await log('?action=suppressions.import');
    expect(entries).toMatchObject([{ target_id: null, detail: { fields: [] } }]);
    expect(entries[0]?.detail.made).toBeUndefined();
  });

  it('reveals nothing about a contact', async () => {
    const contact = {
      email: 'ann@person.example',
      name: 'Ann Person',
      phone: '+49 1',
      metadata: { vip: true },
    };
    const made = await api.ask('POST', '/v1/contacts', { body: contact });
    expect(made.status).toBe(201);
    await api.ask('PATCH', '/v1/contacts/ann@person.example', { body: { name: 'Anna Person' } });
    await api.ask('POST', '/v1/suppressions', { body: { email: 'bob@person.example' } });
    await api.ask('DELETE', '/v1/suppressions/bob@person.example');
    await api.ask('DELETE', '/v1/contacts/ann@person.example');
    const entries = await log('?limit=4');
    expect(entries.map(({ action }) => action)).toEqual([
      'contacts.delete',
      'suppressions.delete',
      'suppressions.create',
      'contacts.update',
    ]);
    const [made1] = await log('?action=contacts.upsert');
    expect(made1).toMatchObject({ target_id: made.json.id as string });
    const rows = await api.store.audit.entries(
      await api.scopeOf('live'),
      { limit: 100, after: null },
      { ofOrganization: true },
    );
    expect(JSON.stringify(rows)).not.toMatch(/person|Anna|ann@|\+49/);
  });
});

describe('no entry is written for', () => {
  it.each([
    ['a read', 'GET', '/v1/organization', undefined, 200],
    ['a request that is refused', 'PATCH', '/v1/organization', { track_opens: 'no' }, 422],
    [
      'a change of what is not there',
      'DELETE',
      '/v1/api-keys/key_01jz0000000000000000000000',
      undefined,
      404,
    ],
  ])('%s', async (_, method, url, body, status) => {
    const [before] = await log('?limit=1');
    const answer = await api.ask(method, url, body === undefined ? {} : { body });
    expect(answer.status).toBe(status);
    expect((await log('?limit=1'))[0]?.id).toBe(before?.id);
  });

  it('a plan that is refused when it is applied; the next plan of the request includes the entry', async () => {
    const { store } = api;
    const now = clock.now();
    const { organizationId } = api;
    const { pendingAuditEntry } = await import('../../src/accounts/audit/audit.store.js');
    const entry = pendingAuditEntry({
      at: now,
      organizationId,
      workspaceId: api.workspaceId,
      mode: 'live',
      actor: { kind: 'operator', id: null },
      action: 'twoCommits',
    });
    const touch = (where: object) =>
      store.commit([
        update(organizations, { set: { updated_at: now }, where, otherwise: { code: 'conflict' } }),
      ]);
    await new Promise<void>((resolve, reject) => {
      store.audit.hooks.attach(entry, (end) => {
        const work = async () => {
          await expect(touch({ id: 'org_unknown' })).rejects.toMatchObject({ code: 'conflict' });
          expect(await log('?action=twoCommits')).toEqual([]);
          // Simultaneous, so that neither knows yet which one stores it.
          await Promise.all([touch({ id: organizationId }), touch({ id: organizationId })]);
          await touch({ id: organizationId });
        };
        work().then(resolve, reject).finally(end);
      });
    });
    expect(await log('?action=twoCommits')).toHaveLength(1);
  });
});

describe('the list', () => {
  it('can be filtered and paged', async () => {
    clock.advance(60_000);
    const since = new Date(clock.now()).toISOString();
    for (const name of ['a', 'b', 'c']) await api.ask('POST', '/v1/api-keys', { body: { name } });
    clock.advance(60_000);
    const until = new Date(clock.now()).toISOString();
    await api.ask('POST', '/v1/api-keys', { body: { name: 'later' } });
    const within = `?since=${since}&until=${until}`;
    expect((await log(within)).map(({ detail }) => detail.values?.['name'])).toEqual(['c', 'b', 'a']);
    const first = await api.ask('GET', `/v1/audit-log${within}&limit=2`);
    expect([first.json.has_more, (first.json.data as unknown[]).length]).toEqual([true, 2]);
    const next = await api.ask(
      'GET',
      `/v1/audit-log${within}&limit=2&cursor=${first.json.next_cursor as string}`,
    );
    expect((next.json.data as Entry[]).map(({ detail }) => detail.values?.['name'])).toEqual(['a']);
    expect(await log('?actor_id=key_01jz0000000000000000000000')).toEqual([]);
    expect((await api.ask('GET', '/v1/audit-log?since=yesterday')).json.error.param).toBe('since');
  });

  it('shows a pinned key only its sub-tenant, without addresses of others', async () => {
    const [acme, other] = [await api.addTenant('acme'), await api.addTenant('other')];
    const pinned = await api.addKey({ subTenantId: acme });
    for (const tenant of [acme, other]) {
      const body = { name: `for ${tenant}`, sub_tenant_id: tenant };
      await api.ask('POST', '/v1/api-keys', { body });
    }
    await api.ask('POST', '/v1/api-keys', { key: pinned, body: { name: 'own' } });
    const seen = await log('', pinned);
    expect(seen.map((entry) => [entry.sub_tenant_id, entry.ip])).toEqual([
      [acme, '127.0.0.1'],
      [acme, null],
    ]);
  });

  it('shows a test key only test entries', async () => {
    await api.ask('POST', '/v1/api-keys', { key: api.testKey, body: { name: 'in test' } });
    const seen = await log('', api.testKey);
    expect(new Set(seen.map(({ mode }) => mode))).toEqual(new Set(['test']));
  });

  it.each(['read', 'send'] as const)('is refused to a %s key', async (permission) => {
    const key = await api.addKey({ permission });
    expect((await api.ask('GET', '/v1/audit-log', { key })).status).toBe(403);
  });
});

it('deletes expired entries in batches', async () => {
  const { store } = api;
  const scope = await api.scopeOf('live');
  const old = clock.now() - 1000;
  for (let i = 0; i < 3; i++) {
    await store.commit(
      Array.from({ length: 400 }, () =>
        auditInsert({
          at: old,
          organizationId: api.organizationId,
          workspaceId: null,
          actor: { kind: 'operator', id: null },
          action: 'longAgo',
        }),
      ),
    );
  }
  const forget = forgettingOf(store, 'old audit entries', { auditKeepMs: 500, clock: clock.now });
  expect(await forget()).toBeGreaterThanOrEqual(1200);
  expect(
    (await store.audit.entries(scope, { limit: 5, after: null }, { ofOrganization: true, action: 'longAgo' }))
      .rows,
  ).toEqual([]);
  expect((await log('?limit=1')).length).toBe(1);
  expect(await forget()).toBe(0);
});
