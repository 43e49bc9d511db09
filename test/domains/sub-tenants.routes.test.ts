import { createPrivateKey } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dkimKeyContext, openSecret } from '../../src/lib/secrets/index.js';
import { MASTER_KEY, startTenantRig, type PublishedRecord, type TenantRig } from '../support/tenant-rig.js';
import { savedBlocks } from '../../src/templates/templates.tables.js';
import { insert } from '../../src/database/rows.js';

let rig: TenantRig;

let shared: TenantRig;
beforeAll(async () => {
  shared = await startTenantRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startTenantRig({ beside: shared });
});

afterEach(async () => {
  await rig.close();
});

interface Wire {
  id: string;
  status: string;
  dns_records: (PublishedRecord & { purpose: string; required: boolean; status: string })[];
}

async function create(body: object = {}): Promise<Wire> {
  const answer = await rig.ask('POST', '/v1/sub-tenants', {
    body: { name: 'Acme', sending_domain: 'acme.example', ...body },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as Wire;
}

const verify = (id: string) => rig.ask('POST', `/v1/sub-tenants/${id}/verify`);

const dkimOf = (tenant: Wire) => tenant.dns_records.filter((record) => record.purpose === 'dkim');

const statesOf = async (id: string) =>
  Object.fromEntries(
    (await rig.store.domains.dkimKeys([id])).map((key) => [key.algorithm, key.state] as const),
  );

describe('creating', () => {
  test('returns 201 with the records to publish and keys that are not active yet', async () => {
    const tenant = await create({ external_id: 'crm-7' });
    expect(tenant).toMatchObject({
      object: 'sub_tenant',
      name: 'Acme',
      external_id: 'crm-7',
      sending_domain: 'acme.example',
      status: 'pending_verification',
      reputation: {
        ...{
          state: 'ok',
          complaint_rate: null,
          bounce_rate: null,
          delivered: 0,
          window_days: 7,
          changed_at: null,
        },
      },
      dns: { drifting: false, failing_since: null, detail: null },
      verified_at: null,
    });
    const required = tenant.dns_records.filter((record) => record.required);
    expect(required).toHaveLength(1);
    expect(required[0]).toMatchObject({ purpose: 'dkim', type: 'TXT', status: 'pending' });
    expect(required[0]?.host).toMatch(/^rsa-[a-z0-9]{8}\._domainkey\.acme\.example$/);
    expect(dkimOf(tenant)).toHaveLength(2);
    expect(await statesOf(tenant.id)).toEqual({ 'rsa-sha256': 'pending', 'ed25519-sha256': 'pending' });
  });

  test('encrypts each private key so that delivery can decrypt it', async () => {
    const { id } = await create();
    for (const key of await rig.store.domains.dkimKeys([id])) {
      const der = openSecret(MASTER_KEY, key.private_key_sealed, dkimKeyContext(key.id));
      const opened = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      expect(opened.asymmetricKeyType).toBe(key.algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519');
    }
  });

  test('refuses a domain that is in use, and accepts it after deletion', async () => {
    const { id } = await create();
    const again = { body: { name: 'Other', sending_domain: 'ACME.example.' } };
    const refused = await rig.ask('POST', '/v1/sub-tenants', again);
    expect(refused.status).toBe(409);
    expect(refused.json.error.code).toBe('domain_taken');
    expect((await rig.ask('DELETE', `/v1/sub-tenants/${id}`)).status).toBe(200);
    expect((await rig.ask('POST', '/v1/sub-tenants', again)).status).toBe(201);
  });

  test('refuses an external_id that is in use', async () => {
    await create({ external_id: 'crm-7' });
    const refused = await rig.ask('POST', '/v1/sub-tenants', {
      body: { name: 'B', sending_domain: 'b.example', external_id: 'crm-7' },
    });
    expect(refused.status).toBe(409);
    expect(refused.json.error).toMatchObject({ code: 'conflict', param: 'external_id' });
  });

  test.each([
    ['nodots', 'sending_domain'],
    ['co.uk', 'sending_domain'],
    ['ph.example', 'sending_domain'],
    ['a b.example', 'sending_domain'],
    [`${'a.'.repeat(120)}example`, 'sending_domain'],
  ])('refuses %s as a sending domain', async (domain, param) => {
    const refused = await rig.ask('POST', '/v1/sub-tenants', { body: { name: 'A', sending_domain: domain } });
    expect(refused.status).toBe(422);
    expect(refused.json.error.param).toBe(param);
  });

  test('keeps an international domain as A-labels', async () => {
    expect(await create({ sending_domain: 'Bücher.example' })).toMatchObject({
      sending_domain: 'xn--bcher-kva.example',
    });
  });
});

describe('verifying', () => {
  test('verifies the sub-tenant and activates the keys once DNS shows them', async () => {
    const tenant = await create();
    rig.publish(tenant.dns_records);
    const answer = await verify(tenant.id);
    expect(answer.status).toBe(200);
    expect(answer.json.status).toBe('verified');
    expect(answer.json.verified_at).not.toBeNull();
    expect((answer.json as Wire).dns_records.every((record) => record.status === 'ok')).toBe(true);
    expect(await statesOf(tenant.id)).toEqual({ 'rsa-sha256': 'active', 'ed25519-sha256': 'active' });
    const scope = await rig.scopeOf('live');
    expect((await rig.store.tenants.subTenant(scope, tenant.id))?.return_path_ok).toBe(1);
  });

  test('requires only the RSA record, and the Ed25519 key waits for its own', async () => {
    const tenant = await create();
    rig.publish(dkimOf(tenant).filter((record) => record.required));
    expect((await verify(tenant.id)).json.status).toBe('verified');
    expect(await statesOf(tenant.id)).toEqual({ 'rsa-sha256': 'active', 'ed25519-sha256': 'pending' });
  });

  test('stays pending without the required record, and reports what is missing', async () => {
    const tenant = await create();
    rig.publish(tenant.dns_records.filter((record) => !record.required));
    const answer = await verify(tenant.id);
    expect(answer.json.status).toBe('pending_verification');
    expect(await statesOf(tenant.id)).toMatchObject({ 'rsa-sha256': 'pending' });
    const { json } = await rig.ask('GET', `/v1/sub-tenants/${tenant.id}/authentication`);
    const [rsa] = json.records;
    expect(rsa).toMatchObject({ purpose: 'dkim', status: 'missing', found: [] });
    expect(rsa.advice).toContain(rsa.host);
    expect(json.records.find((record: { purpose: string }) => record.purpose === 'spf').advice).toBeNull();
  });

  test('does not accept a key that someone else published', async () => {
    const tenant = await create();
    const other = await create({ sending_domain: 'other.example' });
    const [mine] = dkimOf(tenant);
    const [theirs] = dkimOf(other);
    rig.dns.set(mine?.host ?? '', 'TXT', [theirs?.value ?? '']);
    const answer = await verify(tenant.id);
    expect(answer.json.status).toBe('pending_verification');
    expect(dkimOf(answer.json as Wire)[0]?.status).toBe('mismatch');
  });

  test.each(['servfail', 'drop', 'refused'] as const)(
    'a look-up that fails with %s does not change a verified tenant',
    async (fault) => {
      const tenant = await create();
      rig.publish(tenant.dns_records);
      await verify(tenant.id);
      for (const record of tenant.dns_records) rig.dns.fault(record.host, fault);
      const answer = await verify(tenant.id);
      expect(answer.json).toMatchObject({ status: 'verified', dns: { drifting: false } });
      expect((answer.json as Wire).dns_records.every((record) => record.status === 'ok')).toBe(true);
      expect(await statesOf(tenant.id)).toEqual({ 'rsa-sha256': 'active', 'ed25519-sha256': 'active' });
    },
  );

  test('a missing record is reported as drift, but the tenant stays verified and its required key signs', async () => {
    const tenant = await create();
    rig.publish(tenant.dns_records);
    await verify(tenant.id);
    for (const record of dkimOf(tenant)) rig.dns.remove(record.host);
    const failingSince = new Date(rig.clock.advance(60_000)).toISOString();
    expect((await verify(tenant.id)).json).toMatchObject({
      status: 'verified',
      dns: { drifting: true, failing_since: failingSince },
    });
    expect(await statesOf(tenant.id)).toEqual({ 'rsa-sha256': 'active', 'ed25519-sha256': 'pending' });
    rig.clock.advance(60_000);
    expect((await verify(tenant.id)).json.dns.failing_since).toBe(failingSince);
    rig.publish(tenant.dns_records);
    expect((await verify(tenant.id)).json.dns).toEqual({
      drifting: false,
      failing_since: null,
      detail: null,
    });
  });
});

describe('reading and changing', () => {
  test('lists newest first, by status and external_id, in pages', async () => {
    const first = await create({ external_id: 'one' });
    rig.clock.advance(1);
    const second = await create({ sending_domain: 'b.example' });
    const ids = async (query: string) =>
      (await rig.ask('GET', `/v1/sub-tenants${query}`)).json.data.map((row: Wire) => row.id) as string[];
    expect(await ids('')).toEqual([second.id, first.id]);
    expect(await ids('?external_id=one')).toEqual([first.id]);
    expect(await ids('?status=verified')).toEqual([]);
    const page = (await rig.ask('GET', '/v1/sub-tenants?limit=1')).json;
    expect(page).toMatchObject({ object: 'list', has_more: true });
    expect(await ids(`?limit=1&cursor=${page.next_cursor}`)).toEqual([first.id]);
  });

  test('changes name and external_id, and refuses another sending domain', async () => {
    const { id } = await create({ external_id: 'one' });
    const changed = await rig.ask('PATCH', `/v1/sub-tenants/${id}`, {
      body: { name: 'New', external_id: null },
    });
    expect(changed.json).toMatchObject({ name: 'New', external_id: null });
    const refused = await rig.ask('PATCH', `/v1/sub-tenants/${id}`, {
      body: { sending_domain: 'b.example' },
    });
    expect(refused.status).toBe(422);
    expect(refused.json.error.param).toBe('sending_domain');
  });

  test('deletes it with its keys, pinned API keys, senders and saved blocks', async () => {
    const { id } = await create();
    const key = await rig.addKey({ subTenantId: id });
    await rig.ask('POST', '/v1/senders', { key, body: { domain: 'also.example' } });
    const scope = await rig.scopeOf('live', id);
    const block = { id: 'sbk_1', name: 'Footer', block: '{}', created_at: 1, updated_at: 1 };
    const row = { ...block, environment_id: scope.environmentId, sub_tenant_id: id };
    await rig.store.commit([insert(savedBlocks, { row })]);
    const answer = await rig.ask('DELETE', `/v1/sub-tenants/${id}`);
    expect(answer.json).toEqual({ id, object: 'sub_tenant', deleted: true });
    expect((await rig.ask('GET', `/v1/sub-tenants/${id}`)).status).toBe(404);
    expect(await statesOf(id)).toEqual({ 'rsa-sha256': 'retired', 'ed25519-sha256': 'retired' });
    expect((await rig.ask('GET', '/v1/senders')).json.data).toEqual([]);
    expect(await rig.store.savedBlocks.savedBlock(scope, 'sbk_1')).toBeNull();
    expect((await rig.store.accounts.apiKeys(scope, { limit: 5, after: null })).rows).toEqual([]);
  });
});

describe('an external id in the path', () => {
  const PATH = '/v1/sub-tenants/external:crm%2F7';

  test("can replace the sub-tenant's id everywhere", async () => {
    const { id } = await create({ external_id: 'crm/7' });
    expect((await rig.ask('GET', PATH)).json).toMatchObject({ id });
    expect((await rig.ask('GET', `${PATH}/authentication`)).status).toBe(200);
    expect((await rig.ask('GET', `${PATH}/reputation`)).status).toBe(200);
    expect((await rig.ask('POST', `${PATH}/verify`)).json).toMatchObject({ id });
    const changed = await rig.ask('PATCH', PATH, { body: { name: 'Acme Ltd' } });
    expect(changed.json).toMatchObject({ id, name: 'Acme Ltd' });
    expect((await rig.ask('DELETE', PATH)).json).toEqual({ object: 'sub_tenant', id, deleted: true });
    expect((await rig.ask('GET', PATH)).status).toBe(404);
  });

  test('returns 404 to a key of another workspace', async () => {
    await create({ external_id: 'crm/7' });
    const body = { name: 'Other', api_keys: true };
    const { json } = await rig.ask('POST', '/v1/workspaces', { body });
    const [{ secret: key }] = json.api_keys as [{ secret: string }];
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/verify'],
      ['GET', '/authentication'],
    ] as const) {
      const { status } = await rig.ask(method, `${PATH}${path}`, { key });
      expect(status, `${method} ${path}`).toBe(404);
    }
  });

  test('returns 404 if it is unknown, or belongs to another sub-tenant', async () => {
    await create({ external_id: 'crm/7' });
    const other = await create({ external_id: 'crm-8', sending_domain: 'other.example' });
    const pinned = await rig.addKey({ subTenantId: other.id });
    const unknown = await rig.ask('GET', '/v1/sub-tenants/external:crm-9');
    expect([unknown.status, unknown.json.error.code]).toEqual([404, 'not_found']);
    const foreign = await rig.ask('GET', PATH, { key: pinned });
    expect([foreign.status, foreign.json.error.code]).toEqual([404, 'not_found']);
    expect((await rig.ask('GET', '/v1/sub-tenants/external:', { key: pinned })).status).toBe(404);
    expect((await rig.ask('GET', '/v1/sub-tenants/external:crm-8', { key: pinned })).status).toBe(200);
  });
});

describe('pausing', () => {
  test('changes the status, and pausing and resuming are in the trail once each', async () => {
    const tenant = await create();
    rig.publish(tenant.dns_records);
    await verify(tenant.id);
    const move = async (action: string) =>
      (await rig.ask('POST', `/v1/sub-tenants/${tenant.id}/${action}`)).json.status as string;
    expect(await move('pause')).toBe('paused');
    expect(await move('pause')).toBe('paused');
    expect((await verify(tenant.id)).json.status).toBe('paused');
    expect(await move('resume')).toBe('verified');
    expect(await move('resume')).toBe('verified');
    const { json } = await rig.ask('GET', `/v1/sub-tenants/${tenant.id}/audit`);
    expect(json).toMatchObject({ sub_tenant_id: tenant.id, status: 'verified' });
    expect(json.trail).toMatchObject([
      { event: 'tenant_paused', actor: 'api', metadata: { cause: 'requested' } },
      { event: 'tenant_recovered', actor: 'api', metadata: { cause: 'resumed' } },
    ]);
    expect(rig.woken.events).toBe(2);
  });

  test('resumes a sub-tenant that was never verified as pending', async () => {
    const { id } = await create();
    await rig.ask('POST', `/v1/sub-tenants/${id}/pause`);
    expect((await rig.ask('POST', `/v1/sub-tenants/${id}/resume`)).json.status).toBe('pending_verification');
  });
});

describe('a pinned key', () => {
  test('sees and verifies only its own sub-tenant', async () => {
    const own = await create();
    const sibling = await create({ sending_domain: 'b.example' });
    const key = await rig.addKey({ subTenantId: own.id });
    expect((await rig.ask('GET', '/v1/sub-tenants', { key })).json.data).toHaveLength(1);
    expect((await rig.ask('GET', `/v1/sub-tenants/${own.id}`, { key })).status).toBe(200);
    expect((await rig.ask('POST', `/v1/sub-tenants/${own.id}/verify`, { key })).status).toBe(200);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'X' }],
      ['DELETE', '', undefined],
      ['POST', '/verify', undefined],
      ['POST', '/pause', undefined],
      ['POST', '/resume', undefined],
      ['GET', '/authentication', undefined],
      ['GET', '/reputation', undefined],
      ['GET', '/audit', undefined],
    ] as const) {
      const answer = await rig.ask(method, `/v1/sub-tenants/${sibling.id}${path}`, { key, body });
      expect(answer.status, `${method} ${path}`).toBe(404);
    }
  });

  test('cannot create sub-tenants or change its own terms', async () => {
    const { id } = await create();
    const key = await rig.addKey({ subTenantId: id });
    for (const [method, path, body] of [
      ['POST', '', { name: 'X', sending_domain: 'x.example' }],
      ['PATCH', `/${id}`, { name: 'X' }],
      ['DELETE', `/${id}`, undefined],
      ['POST', `/${id}/pause`, undefined],
      ['POST', `/${id}/resume`, undefined],
    ] as const) {
      const answer = await rig.ask(method, `/v1/sub-tenants${path}`, { key, body });
      expect(answer.status, `${method} ${path}`).toBe(403);
    }
  });
});
