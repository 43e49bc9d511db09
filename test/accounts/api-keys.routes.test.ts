// Tests API keys through the API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeKeyUses } from '../../src/accounts/api-keys/key-uses.js';
import { fixedClock } from '../support/fixed-clock.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const clock = fixedClock();
let api: StartedApi;
beforeAll(async () => {
  api = await startApi({ clock: clock.now });
});
afterAll(() => api.close());

const make = (body: object, key?: string) =>
  api.ask('POST', '/v1/api-keys', { body, ...(key === undefined ? {} : { key }) });

describe('a new key', () => {
  it('shows its secret only once', async () => {
    const made = await make({ name: 'Shop', permission: 'send', mode: 'test', allowed_ips: ['127.0.0.1'] });
    expect(made.status).toBe(201);
    const { secret, ...shown } = made.json as { secret: string; id: string };
    expect(secret).toMatch(/^svc_test_[A-Za-z0-9_-]{43}$/);
    expect(shown).toMatchObject({
      object: 'api_key',
      name: 'Shop',
      permission: 'send',
      mode: 'test',
      sub_tenant_id: null,
      key_prefix: secret.slice(0, 13),
      allowed_ips: ['127.0.0.1'],
      expires_at: null,
    });
    const listed = await api.ask('GET', '/v1/api-keys');
    expect(listed.json.data).toContainEqual(shown);
    expect(listed.text).not.toContain(secret);
  });

  it('belongs to the environment of the calling key by default', async () => {
    expect((await make({ name: 'a' })).json.mode).toBe('live');
    expect((await make({ name: 'a' }, api.testKey)).json.mode).toBe('test');
  });

  it.each([
    [{}, 'name'],
    [{ name: 'x', permission: 'root' }, 'permission'],
    [{ name: 'x', expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'x', expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
    [{ name: 'x', allowed_ips: ['192.0.2.0/24', '192.0.2.0/40'] }, 'allowed_ips.1'],
    [{ name: 'x', permisson: 'read' }, 'permisson'],
  ])('is refused for %j', async (body, param) => {
    const answer = await make(body);
    expect([answer.status, answer.json.error.param]).toEqual([422, param]);
  });
});

describe('a send policy', () => {
  const policy = { allowed_recipients: ['Example.COM', 'contacts'], max_per_hour: 5 };
  const stored = {
    allowed_senders: null,
    allowed_recipients: ['example.com', 'contacts'],
    max_per_hour: 5,
    max_per_day: null,
    max_recipients: null,
    allow_bcc: true,
    approval: 'never',
    content: { templates_only: false, no_attachments: false, allowed_link_domains: null },
  };
  const makeAgent = async () =>
    (await make({ name: 'Agent', permission: 'send', policy })).json as unknown as {
      id: string;
      secret: string;
      policy: unknown;
    };

  it('is shown with the key', async () => {
    const made = await makeAgent();
    expect(made.policy).toEqual(stored);
    expect((await api.ask('GET', `/v1/api-keys/${made.id}`)).json['policy']).toEqual(stored);
  });

  it('is only for keys that send', async () => {
    const full = await make({ name: 'x', policy });
    expect([full.status, full.json.error.param]).toEqual([422, 'policy']);
    const { id } = (await make({ name: 'x' })).json as { id: string };
    const changed = await api.ask('PATCH', `/v1/api-keys/${id}`, { body: { policy } });
    expect([changed.status, changed.json.error.param]).toEqual([422, 'policy']);
  });

  it('is replaced as a whole, removed with null, and otherwise kept', async () => {
    const { id } = await makeAgent();
    const change = async (body: object) =>
      (await api.ask('PATCH', `/v1/api-keys/${id}`, { body })).json['policy'] as unknown;
    expect(await change({ name: 'Robot' })).toEqual(stored);
    expect(await change({ policy: { allow_bcc: false } })).toEqual({
      ...stored,
      allowed_recipients: null,
      max_per_hour: null,
      allow_bcc: false,
    });
    expect(await change({ policy: null })).toBeNull();
  });

  it('passes to the key of a rotation', async () => {
    const { id } = await makeAgent();
    const rotated = await api.ask('POST', `/v1/api-keys/${id}/rotate`, { body: {} });
    expect(rotated.json['policy']).toEqual(stored);
  });

  it('keeps its key from making, changing and rotating keys', async () => {
    const { id, secret: key } = await makeAgent();
    const asked = [
      await make({ name: 'x', permission: 'send' }, key),
      await api.ask('PATCH', `/v1/api-keys/${id}`, { key, body: { policy: null } }),
      await api.ask('POST', `/v1/api-keys/${id}/rotate`, { key, body: {} }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it('is in the audit log with the fields that were set', async () => {
    const { id } = await makeAgent();
    await api.ask('PATCH', `/v1/api-keys/${id}`, { body: { policy } });
    const { json } = await api.ask('GET', `/v1/audit-log?target_id=${id}&action=apiKeys.update`);
    expect(json.data[0]).toMatchObject({
      detail: {
        fields: ['policy.allowed_recipients', 'policy.max_per_hour'],
        values: { 'policy.max_per_hour': 5 },
      },
    });
  });

  it.each([
    [{ approval: 'sometimes' }, 'policy.approval'],
    [{ allowed_senders: [] }, 'policy.allowed_senders'],
    [{ allowed_recipients: ['list:x'] }, 'policy.allowed_recipients.0'],
    [{ max_per_day: 0 }, 'policy.max_per_day'],
    [{ content: { html: false } }, 'policy.content.html'],
    [{ allowed_senders: Array.from({ length: 101 }, (_, at) => `a${at}.example`) }, 'policy.allowed_senders'],
  ])('is refused as %j', async (wrong, param) => {
    const answer = await make({ name: 'x', permission: 'send', policy: wrong });
    expect([answer.status, answer.json.error.param]).toEqual([422, param]);
  });
});

describe('the reach of a key', () => {
  it('a test key cannot create or revoke live keys', async () => {
    const key = api.testKey;
    expect((await make({ name: 'x', mode: 'live' }, key)).status).toBe(403);
    const { id } = (await make({ name: 'live one' })).json as { id: string };
    expect((await api.ask('DELETE', `/v1/api-keys/${id}`, { key })).status).toBe(403);
  });

  it('a pinned key creates pinned keys and sees no others', async () => {
    const [acme, other] = [await api.addTenant('acme'), await api.addTenant('other')];
    const key = (await make({ name: 'pinned', sub_tenant_id: acme })).json.secret as string;
    expect((await make({ name: 'mine' }, key)).json.sub_tenant_id).toBe(acme);
    expect((await make({ name: 'x', sub_tenant_id: other }, key)).json.error.code).toBe(
      'sub_tenant_mismatch',
    );
    const seen = (await api.ask('GET', '/v1/api-keys', { key })).json.data as { sub_tenant_id: string }[];
    expect(seen.map((one) => one.sub_tenant_id)).toEqual([acme, acme]);
    const { id } = (await make({ name: 'of the workspace' })).json as { id: string };
    expect((await api.ask('DELETE', `/v1/api-keys/${id}`, { key })).status).toBe(404);
  });

  it('a sending key cannot create keys', async () => {
    expect((await make({ name: 'x' }, await api.addKey({ permission: 'send' }))).status).toBe(403);
  });
});

it('returns 404 for an unknown or revoked key', async () => {
  expect((await api.ask('DELETE', '/v1/api-keys/key_unknown')).status).toBe(404);
  const { id } = (await make({ name: 'x' })).json as { id: string };
  expect((await api.ask('DELETE', `/v1/api-keys/${id}`)).status).toBe(200);
  expect((await api.ask('DELETE', `/v1/api-keys/${id}`)).status).toBe(404);
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number): string => new Date(at).toISOString();
const works = async (key: string): Promise<number> =>
  (await api.ask('GET', '/v1/workspaces', { key })).status;

interface Made {
  id: string;
  secret: string;
  key_prefix: string;
}
const made = async (body: object, key?: string): Promise<Made> => (await make(body, key)).json as Made;
const rotate = (id: string, body?: object, key?: string) =>
  api.ask('POST', `/v1/api-keys/${id}/rotate`, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });

describe('a rotated key', () => {
  it('has a successor of the same kind and works until the overlap ends', async () => {
    const tenant = await api.addTenant('rotating');
    const wish = { name: 'Shop', permission: 'read', sub_tenant_id: tenant, allowed_ips: ['127.0.0.0/8'] };
    const old = await made({ ...wish, mode: 'test', expires_at: iso(clock.now() + 90 * DAY) });
    const usable = async (key: string) => (await api.ask('GET', '/v1/contacts', { key })).status;
    clock.advance(30 * DAY);
    const answer = await rotate(old.id);
    expect(answer.status).toBe(201);
    const next = answer.json as Made;
    expect(next).toMatchObject({
      ...wish,
      mode: 'test',
      replaced_by: null,
      expires_at: iso(clock.now() + 90 * DAY),
    });
    expect(next.secret).not.toBe(old.secret);
    const shown = (await api.ask('GET', `/v1/api-keys/${old.id}`)).json as object;
    expect(shown).toMatchObject({ replaced_by: next.id, expires_at: iso(clock.now() + DAY) });
    expect([await usable(old.secret), await usable(next.secret)]).toEqual([200, 200]);
    clock.advance(DAY);
    expect(await usable(old.secret)).toBe(401);
    expect(await usable(next.secret)).toBe(200);
  });

  it.each([
    ['0', 0],
    ['90m', 90 * 60_000],
    ['30d', 30 * DAY],
  ])('works for an overlap of %s, even if it is cached', async (overlap, ms) => {
    const { id, secret } = await made({ name: 'x' });
    expect(await works(secret)).toBe(200);
    await rotate(id, { overlap });
    if (ms > 0) {
      clock.advance(ms - 1);
      expect(await works(secret)).toBe(200);
      clock.advance(1);
    }
    expect(await works(secret)).toBe(401);
  });

  it('keeps its own expiry if that is earlier', async () => {
    const end = iso(clock.now() + HOUR);
    const { id } = await made({ name: 'x', expires_at: end });
    await rotate(id);
    expect((await api.ask('GET', `/v1/api-keys/${id}`)).json).toMatchObject({ expires_at: end });
  });

  it('cannot be rotated again or get a longer lifetime', async () => {
    const { id } = await made({ name: 'x' });
    const [one, other] = await Promise.all([rotate(id), rotate(id)]);
    expect([one.status, other.status].sort()).toEqual([201, 409]);
    expect((await rotate(id)).status).toBe(409);
    const change = (body: object) => api.ask('PATCH', `/v1/api-keys/${id}`, { body });
    expect((await change({ expires_at: null })).status).toBe(409);
    expect((await change({ expires_at: iso(clock.now() + HOUR) })).status).toBe(200);
  });

  it.each([{ overlap: '31d' }, { overlap: 'soon' }, { overlap: '-1h' }, { for: '1h' }])(
    'is refused for %j',
    async (body) => {
      const { id } = await made({ name: 'x' });
      expect((await rotate(id, body)).status).toBe(422);
    },
  );
});

describe('a changed key', () => {
  it('takes effect immediately, even if it is cached', async () => {
    const { id, secret } = await made({ name: 'x' });
    expect(await works(secret)).toBe(200);
    const body = { name: 'y', allowed_ips: ['192.0.2.1'], expires_at: iso(clock.now() + DAY) };
    const changed = await api.ask('PATCH', `/v1/api-keys/${id}`, { body });
    expect([changed.status, changed.json]).toMatchObject([200, body]);
    expect(await works(secret)).toBe(403);
    await api.ask('PATCH', `/v1/api-keys/${id}`, { body: { allowed_ips: null } });
    expect(await works(secret)).toBe(200);
    clock.advance(DAY);
    expect(await works(secret)).toBe(401);
  });
});

describe('a key and other keys', () => {
  it('creates no admin keys, which only people can create', async () => {
    for (const key of [api.liveKey, await api.addKey({}), await api.addKey({ permission: 'admin' })]) {
      const { status, json } = await make({ name: 'x', permission: 'admin' }, key);
      expect([status, json.error.param]).toEqual([403, 'permission']);
    }
  });

  it('cannot change an admin key without permission admin', async () => {
    const full = await api.addKey({});
    const { data } = (await api.ask('GET', '/v1/api-keys?limit=100')).json as {
      data: { id: string; permission: string }[];
    };
    const { id = '' } = data.find(({ permission }) => permission === 'admin') ?? {};
    expect((await rotate(id, {}, full)).status).toBe(403);
    const change = { key: full, body: { allowed_ips: null } };
    expect((await api.ask('PATCH', `/v1/api-keys/${id}`, change)).status).toBe(403);
    expect((await api.ask('DELETE', `/v1/api-keys/${id}`, { key: full })).status).toBe(403);
  });

  it('creates and rotates keys that expire no later than itself', async () => {
    const end = clock.now() + 10 * DAY;
    const own = await made({ name: 'ends', expires_at: iso(end) });
    clock.advance(5 * DAY);
    const longer = await made({ name: 'other', expires_at: iso(clock.now() + 60 * DAY) });
    const endless = await made({ name: 'endless' });
    for (const id of [longer.id, own.id]) {
      const answer = await rotate(id, {}, own.secret);
      expect([answer.status, answer.json.expires_at]).toEqual([201, iso(end)]);
    }
    expect((await rotate(endless.id, {}, own.secret)).status).toBe(403);
    expect((await make({ name: 'x' }, own.secret)).status).toBe(403);
  });
});

describe('the limits of a key', () => {
  it('a test key reads live keys but cannot change them', async () => {
    const { id } = await made({ name: 'live' });
    const key = api.testKey;
    expect((await api.ask('GET', `/v1/api-keys/${id}`, { key })).status).toBe(200);
    expect((await api.ask('PATCH', `/v1/api-keys/${id}`, { key, body: { name: 'x' } })).status).toBe(403);
    expect((await rotate(id, undefined, key)).status).toBe(403);
  });

  it('a key with allowed addresses cannot create keys for others', async () => {
    const key = await api.addKey({ allowedIps: ['127.0.0.0/16', '::1'] });
    expect((await make({ name: 'x' }, key)).json.error).toMatchObject({
      type: 'forbidden',
      param: 'allowed_ips',
    });
    expect((await make({ name: 'x', allowed_ips: ['127.0.0.0/8'] }, key)).status).toBe(403);
    const within = await make({ name: 'x', allowed_ips: ['127.0.0.9', '127.0.128.0/17'] }, key);
    expect(within.status).toBe(201);
    const { id } = within.json as Made;
    expect((await api.ask('PATCH', `/v1/api-keys/${id}`, { key, body: { allowed_ips: null } })).status).toBe(
      403,
    );
    expect((await api.ask('PATCH', `/v1/api-keys/${id}`, { key, body: { name: 'y' } })).status).toBe(200);
    expect((await rotate(id, undefined, key)).status).toBe(201);
    const { id: open } = await made({ name: 'open' });
    expect((await rotate(open, undefined, key)).status).toBe(403);
  });

  it('a pinned key finds no keys outside its sub-tenant', async () => {
    const key = await api.addKey({ subTenantId: await api.addTenant('pinned') });
    const { id } = await made({ name: 'x' });
    const unknown = 'key_01jz0000000000000000000000';
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'x' }],
      ['POST', '/rotate', undefined],
      ['DELETE', '', undefined],
    ] as const) {
      const answers = await Promise.all(
        [id, unknown].map((one) =>
          api.ask(method, `/v1/api-keys/${one}${path}`, { key, ...(body === undefined ? {} : { body }) }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    }
  });
});

it('records the last use of a key once per minute', async () => {
  const { id, secret } = await made({ name: 'x' });
  const shown = async () =>
    ((await api.ask('GET', `/v1/api-keys/${id}`)).json as { last_used_at: string | null }).last_used_at;
  const context = { store: api.store, credentials: api.credentials, clock: clock.now };
  await writeKeyUses(context);
  await works(secret);
  await works(`${secret}x`);
  expect(await shown()).toBeNull();
  await writeKeyUses(context);
  const minute = iso(Math.floor(clock.now() / 60_000) * 60_000);
  expect(await shown()).toBe(minute);
  clock.advance(60_000);
  await writeKeyUses(context);
  expect(await shown()).toBe(minute);
});

describe('SES credentials of a key', () => {
  const create = (id: string, key?: string) =>
    api.ask('POST', `/v1/api-keys/${id}/ses-credentials`, key === undefined ? {} : { key });

  it('are shown once, and replaced by new ones', async () => {
    const { id } = await made({ name: 'x' });
    expect((await api.ask('GET', `/v1/api-keys/${id}`)).json).toMatchObject({ ses_credentials_at: null });
    const first = await create(id);
    expect([first.status, first.json]).toEqual([
      201,
      {
        object: 'ses_credentials',
        api_key_id: id,
        access_key_id: id,
        secret_access_key: expect.stringMatching(/^[\w-]{40}$/) as string,
        created_at: iso(clock.now()),
      },
    ]);
    const shown = await api.ask('GET', `/v1/api-keys/${id}`);
    expect(shown.json).toMatchObject({ ses_credentials_at: iso(clock.now()) });
    expect(shown.text).not.toContain('sealed');
    const { secret_access_key: secret } = first.json as { secret_access_key: string };
    expect(((await create(id)).json as { secret_access_key: string }).secret_access_key).not.toBe(secret);
  });

  it('are refused for unknown, revoked and expired keys, and beyond the rights of the calling key', async () => {
    expect((await create('key_unknown')).status).toBe(404);
    const { id } = await made({ name: 'x', expires_at: iso(clock.now() + HOUR) });
    expect((await create(id, api.testKey)).status).toBe(403);
    expect((await create(id, await api.addKey({ permission: 'read' }))).status).toBe(403);
    const admin = await api.addKey({ permission: 'admin' });
    const { data } = (await api.ask('GET', '/v1/api-keys?limit=100')).json as { data: Made[] };
    const adminId = data.find(({ key_prefix }) => key_prefix === admin.slice(0, 13))?.id ?? '';
    expect((await create(adminId, await api.addKey({}))).status).toBe(403);
    const short = await made({ name: 'short', expires_at: iso(clock.now() + HOUR / 2) });
    expect((await create(id, short.secret)).status).toBe(403);
    clock.advance(HOUR);
    expect((await create(id)).status).toBe(409);
    await api.ask('DELETE', `/v1/api-keys/${id}`);
    expect((await create(id)).status).toBe(404);
  });
});
