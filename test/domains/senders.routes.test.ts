import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkChains } from '../../src/events/chain-check.store.js';
import type { Scope } from '../../src/database/scope.js';
import { SigningKeys } from '../../src/outbound/deliver/signing-keys.js';
import { createOpenTokens } from '../../src/lib/secrets/index.js';
import { PLATFORM_OWNER } from '../../src/domains/domains.store.js';
import { MASTER_KEY, startTenantRig, type TenantRig } from '../support/tenant-rig.js';

const LINK = /https:\/\/mail\.example\.test(\/confirm\/[A-Za-z0-9_-]{43})/;
const HOUR = 3_600_000;

let rig: TenantRig;

let shared: TenantRig;
beforeAll(async () => {
  shared = await startTenantRig();
});
afterAll(() => shared.close());
afterEach(async () => {
  await rig.close();
});

/** A server whose own domain is set up, so that it can send its own mail. */
async function withPlatform(): Promise<void> {
  rig = await startTenantRig({ platformDomain: 'ph.example' });
  for (const key of await rig.store.domains.dkimKeys([PLATFORM_OWNER])) {
    rig.dns.set(`${key.selector}._domainkey.ph.example`, 'TXT', [key.record_value]);
  }
  await rig.checks.checkPlatform();
}

const add = (body: object, key?: string) =>
  rig.ask('POST', '/v1/senders', { body, ...(key === undefined ? {} : { key }) });

async function systemScope(): Promise<Scope> {
  return { ...(await rig.store.accounts.environmentOf('ws_system', 'live')), subTenantId: null };
}

/** The waiting confirmation mails, newest first. */
async function confirmationMails() {
  const page = await rig.store.messages.messages(await systemScope(), { limit: 10, after: null }, {});
  return page.rows;
}

async function linkOf(index = 0): Promise<string> {
  const mail = (await confirmationMails())[index];
  if (!mail) throw new Error('no confirmation mail');
  const kept = (await rig.store.messages.content(mail)).text ?? '';
  expect(kept).not.toMatch(LINK);
  return LINK.exec(createOpenTokens(MASTER_KEY)(kept, mail.to_key))?.[1] ?? '';
}

describe('a domain', () => {
  test('returns its records and is verified by DNS', async () => {
    rig = await startTenantRig({ beside: shared });
    const { status, json } = await add({ domain: 'Shop.example' });
    expect(status).toBe(201);
    expect(json).toMatchObject({ kind: 'domain', email: null, domain: 'shop.example', is_default: false });
    expect((await rig.ask('POST', `/v1/senders/${json.id}/verify`)).json.status).toBe('pending_verification');
    rig.publish(json.dns_records);
    expect((await rig.ask('POST', `/v1/senders/${json.id}/verify`)).json.status).toBe('verified');
    const keys = await rig.store.domains.dkimKeys([json.id]);
    expect(keys.map((key) => key.state)).toEqual(['active', 'active']);
  });

  test('cannot be deleted by a test key once it sends live mail', async () => {
    rig = await startTenantRig({ beside: shared });
    const { json } = await add({ domain: 'shop.example' });
    const remove = (key: string) => rig.ask('DELETE', `/v1/senders/${json.id}`, { key });
    rig.publish(json.dns_records);
    await rig.ask('POST', `/v1/senders/${json.id}/verify`);
    const refused = await remove(rig.testKey);
    expect([refused.status, refused.json.error.code]).toEqual([403, 'forbidden']);
    expect((await rig.ask('GET', `/v1/senders/${json.id}`)).json.status).toBe('verified');
    expect((await remove(rig.liveKey)).status).toBe(200);
    const waiting = await add({ domain: 'other.example' }, rig.testKey);
    expect((await rig.ask('DELETE', `/v1/senders/${waiting.json.id}`, { key: rig.testKey })).status).toBe(
      200,
    );
  });

  test('is refused twice in one workspace, and cannot be the default From', async () => {
    rig = await startTenantRig({ beside: shared });
    const { json } = await add({ domain: 'shop.example' });
    expect((await add({ domain: 'shop.example' })).json.error.code).toBe('domain_taken');
    expect((await rig.ask('POST', `/v1/senders/${json.id}/default`)).status).toBe(409);
  });

  test('signs nothing after it is deleted', async () => {
    rig = await startTenantRig({ beside: shared });
    const { json } = await add({ domain: 'shop.example' });
    rig.publish(json.dns_records);
    await rig.ask('POST', `/v1/senders/${json.id}/verify`);
    expect((await rig.ask('DELETE', `/v1/senders/${json.id}`)).json).toEqual({
      id: json.id,
      object: 'sender',
      deleted: true,
    });
    const keys = await rig.store.domains.dkimKeys([json.id]);
    expect(keys.map((key) => key.state)).toEqual(['retired', 'retired']);
    expect((await rig.ask('GET', `/v1/senders/${json.id}`)).status).toBe(404);
  });
});

describe('an address', () => {
  test('on a verified domain is verified immediately, without mail', async () => {
    rig = await startTenantRig({ beside: shared });
    const domain = (await add({ domain: 'shop.example' })).json;
    rig.publish(domain.dns_records);
    await rig.ask('POST', `/v1/senders/${domain.id}/verify`);
    const { json } = await add({ email: 'Ann@Shop.example', name: 'Ann' });
    expect(json).toMatchObject({
      kind: 'address',
      email: 'ann@shop.example',
      name: 'Ann',
      status: 'verified',
    });
    expect((await rig.ask('POST', `/v1/senders/${json.id}/default`)).json.is_default).toBe(true);
  });

  test('on another domain is refused while the server has no own domain', async () => {
    rig = await startTenantRig({ beside: shared });
    const { status, json } = await add({ email: 'ann@shop.example' });
    expect(status).toBe(409);
    expect(json.error.message).toContain('MAILKEEL_PLATFORM_DOMAIN');
    expect((await rig.ask('GET', '/v1/senders')).json.data).toEqual([]);
  });

  test("on another domain is refused while DNS does not show the key of the server's domain", async () => {
    rig = await startTenantRig({ platformDomain: 'ph.example' });
    const { status, json } = await add({ email: 'ann@shop.example' });
    expect(status).toBe(409);
    expect(json.error.message).toContain('ph.example');
  });

  test('is confirmed once by the button behind the mailed link', async () => {
    await withPlatform();
    const { json, status } = await add({ email: 'ann@shop.example' });
    expect(status).toBe(201);
    expect(json).toMatchObject({ status: 'pending_verification', dns_records: [] });
    const path = await linkOf();
    const opened = await rig.ask('GET', path, { key: '' });
    expect(opened.status).toBe(200);
    expect(opened.text).toContain('ann@shop.example');
    expect((await rig.ask('GET', `/v1/senders/${json.id}`)).json.status).toBe('pending_verification');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await rig.ask('POST', path, { key: '', headers: form })).status).toBe(200);
    expect((await rig.ask('GET', `/v1/senders/${json.id}`)).json).toMatchObject({
      status: 'verified',
      confirmation_expires_at: null,
    });
    expect((await rig.ask('POST', path, { key: '', headers: form })).status).toBe(404);
    expect((await rig.ask('GET', '/confirm/nonsense', { key: '' })).status).toBe(404);
  });

  test('can only be confirmed with live keys, and deleting it does not allow more mails', async () => {
    await withPlatform();
    const tested = await add({ email: 'ann@shop.example' }, rig.testKey);
    expect([tested.status, tested.json.confirmation_expires_at]).toEqual([201, null]);
    const asked = await rig.ask('POST', `/v1/senders/${tested.json.id}/verify`, { key: rig.testKey });
    expect([asked.status, asked.json.error.code]).toEqual([403, 'forbidden']);
    await rig.ask('DELETE', `/v1/senders/${tested.json.id}`);
    const answers: number[] = [];
    for (let i = 0; i < 7; i++) {
      const { status, json } = await add({ email: 'ann@shop.example' });
      answers.push(status);
      if (status === 201) await rig.ask('DELETE', `/v1/senders/${json.id}`);
    }
    expect(answers).toEqual([201, 201, 201, 201, 201, 429, 429]);
    expect(await confirmationMails()).toHaveLength(5);
    expect((await rig.ask('GET', '/v1/senders')).json.data).toEqual([]);
    expect((await add({ email: 'bob@shop.example' })).status).toBe(201);
    rig.clock.advance(HOUR);
    expect((await add({ email: 'ann@shop.example' })).status).toBe(201);
  });

  test('gets its mail from the platform domain, signed with its key, and out of reach of workspace keys', async () => {
    await withPlatform();
    await add({ email: 'ann@shop.example' });
    const [mail] = await confirmationMails();
    expect(mail).toMatchObject({
      from_email: 'postmaster@ph.example',
      to_email: 'ann@shop.example',
      track_clicks: 0,
    });
    expect(rig.woken.queueIds).toHaveLength(1);
    const id = mail?.public_id ?? '';
    for (const key of [rig.liveKey, rig.testKey]) {
      expect(
        await rig.store.messages.message(await rig.scopeOf(key === rig.liveKey ? 'live' : 'test'), id),
      ).toBeNull();
    }
    const deliverable = (await rig.store.messages.deliverables([mail?.id ?? 0])).get(mail?.id ?? 0);
    if (!deliverable) throw new Error('the mail cannot be delivered');
    const answer = await new SigningKeys(rig.store, MASTER_KEY, rig.clock.now).signersFor(deliverable);
    expect(answer.kind === 'signers' && answer.signers.map((signer) => signer.domain)).toEqual([
      'ph.example',
      'ph.example',
    ]);
  });

  test('gets a new link on request after a minute, which ends the old one', async () => {
    await withPlatform();
    const { json } = await add({ email: 'ann@shop.example' });
    const first = await linkOf();
    expect((await rig.ask('POST', `/v1/senders/${json.id}/verify`)).status).toBe(429);
    rig.clock.advance(61_000);
    expect((await rig.ask('POST', `/v1/senders/${json.id}/verify`)).status).toBe(200);
    expect((await rig.ask('GET', first, { key: '' })).status).toBe(404);
    expect((await rig.ask('GET', await linkOf(), { key: '' })).status).toBe(200);
  });

  test('cannot be confirmed after 48 hours', async () => {
    await withPlatform();
    await add({ email: 'ann@shop.example' });
    rig.clock.advance(48 * HOUR + 1);
    expect((await rig.ask('GET', await linkOf(), { key: '' })).status).toBe(404);
  });

  test('must be verified to be the default, and only one is the default', async () => {
    await withPlatform();
    const domain = (await add({ domain: 'shop.example' })).json;
    rig.publish(domain.dns_records);
    await rig.ask('POST', `/v1/senders/${domain.id}/verify`);
    const one = (await add({ email: 'one@shop.example' })).json;
    const two = (await add({ email: 'two@shop.example' })).json;
    const waiting = (await add({ email: 'ann@else.example' })).json;
    await rig.ask('POST', `/v1/senders/${one.id}/default`);
    await rig.ask('POST', `/v1/senders/${two.id}/default`);
    expect((await rig.ask('POST', `/v1/senders/${waiting.id}/default`)).status).toBe(409);
    const { data } = (await rig.ask('GET', '/v1/senders')).json;
    const defaults = data.filter((row: { is_default: boolean }) => row.is_default);
    expect(defaults.map((row: { id: string }) => row.id)).toEqual([two.id]);
  });

  test.each([
    [{}, 'email'],
    [{ email: 'a@b.example', domain: 'b.example' }, 'email'],
    [{ email: 'no address' }, 'email'],
    [{ domain: 'b.example', name: 'B' }, 'name'],
    [{ domain: 'com' }, 'domain'],
    [{ mail: 'a@b.example' }, 'mail'],
  ])('%j is refused at %s', async (body, param) => {
    rig = await startTenantRig({ beside: shared });
    const { status, json } = await add(body);
    expect(status).toBe(422);
    expect(json.error.param).toBe(param);
  });
});

test('a pinned key creates senders of its sub-tenant and does not see those of others', async () => {
  rig = await startTenantRig({ beside: shared });
  const tenantId = await rig.addTenant('acme');
  const key = await rig.addKey({ subTenantId: tenantId });
  const workspaces = (await add({ domain: 'shop.example' })).json;
  const own = (await add({ email: 'ann@acme.example' }, key)).json;
  expect(own).toMatchObject({ sub_tenant_id: tenantId, status: 'verified' });
  expect((await rig.ask('GET', '/v1/senders', { key })).json.data).toHaveLength(1);
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/verify'],
    ['POST', '/default'],
    ['DELETE', ''],
  ] as const) {
    expect((await rig.ask(method, `/v1/senders/${workspaces.id}${path}`, { key })).status).toBe(404);
  }
});

test("system mail does not use the customers' workspace, and the event chains remain valid", async () => {
  await withPlatform();
  await add({ email: 'ann@shop.example' });
  const environments = await rig.store.accounts.environments();
  expect(environments.map((row) => row.workspaceId)).toEqual([
    rig.workspaceId,
    rig.workspaceId,
    'ws_system',
    'ws_system',
  ]);
  const reports = await checkChains(rig.store, 100);
  expect(reports.map(({ entries, broken }) => ({ entries, broken }))).toEqual([
    { entries: 0, broken: null },
    { entries: 1, broken: null },
  ]);
});

test('the authentication of a domain has its keys and advice for each record, and an address has none', async () => {
  rig = await startTenantRig({ beside: shared });
  const { json } = await add({ domain: 'shop.example' });
  const url = `/v1/senders/${json.id}/authentication`;
  const before = (await rig.ask('GET', url)).json;
  expect(before).toMatchObject({ object: 'sender_authentication', domain: 'shop.example', dns: {} });
  expect(before.keys.map((key: { state: string }) => key.state)).toEqual(['pending', 'pending']);
  await rig.ask('POST', `/v1/senders/${json.id}/verify`);
  const missing = (await rig.ask('GET', url)).json.records[0];
  expect(missing).toMatchObject({ status: 'missing', advice: expect.any(String) });
  rig.publish(json.dns_records);
  await rig.ask('POST', `/v1/senders/${json.id}/verify`);
  const after = (await rig.ask('GET', url)).json;
  expect(after).toMatchObject({ status: 'verified', keys: [{ state: 'active' }, { state: 'active' }] });
  expect(after.records[0]).toMatchObject({ status: 'ok', advice: null });
  const address = (await add({ email: 'ann@shop.example' })).json;
  expect((await rig.ask('GET', `/v1/senders/${address.id}/authentication`)).json).toMatchObject({
    ...{ domain: 'shop.example', status: 'verified', dns: null, keys: [], records: [] },
  });
  const key = await rig.addKey({ subTenantId: await rig.addTenant('acme') });
  expect((await rig.ask('GET', url, { key })).status).toBe(404);
});

test('both environments share senders', async () => {
  rig = await startTenantRig({ beside: shared });
  const { json } = await add({ domain: 'shop.example' }, rig.testKey);
  expect((await rig.ask('GET', `/v1/senders/${json.id}`)).status).toBe(200);
});
