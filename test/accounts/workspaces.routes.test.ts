// Tests workspaces through the API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedClock } from '../support/fixed-clock.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { appendEvent } from '../../src/events/append.store.js';

const clock = fixedClock();
const LIMIT = 12;
let api: StartedApi;
beforeAll(async () => {
  api = await startApi({ clock: clock.now, settings: { workspaceLimit: LIMIT } });
});
afterAll(() => api.close());

interface Key {
  secret: string;
  mode: string;
  permission: string;
}
interface Made {
  id: string;
  api_keys: Key[];
}

const make = (body: object, key?: string) =>
  api.ask('POST', '/v1/workspaces', { body, ...(key === undefined ? {} : { key }) });
const made = async (body: object): Promise<Made> => (await make(body)).json as Made;

describe('a new workspace', () => {
  it('gets keys that expire no later than the creating key, with its allowed addresses', async () => {
    const allowedIps = ['127.0.0.0/16', '::1'];
    const expiresAt = clock.now() + 86_400_000;
    const key = await api.addKey({ permission: 'admin', allowedIps, expiresAt });
    const { status, json } = await make({ name: 'Narrow', api_keys: true }, key);
    const bounds = { allowed_ips: allowedIps, expires_at: new Date(expiresAt).toISOString() };
    expect(status).toBe(201);
    expect(json).toMatchObject({ api_keys: [bounds, bounds] });
  });

  it('has both environments, a chain, and its first keys on request', async () => {
    const answer = await make({
      name: 'Second',
      retention_days: 30,
      retention_mode: 'delete',
      api_keys: true,
    });
    expect(answer.status).toBe(201);
    const { id, api_keys: keys } = answer.json as Made;
    expect(answer.json).toMatchObject({
      object: 'workspace',
      name: 'Second',
      retention_days: 30,
      retention_mode: 'delete',
      created_at: new Date(clock.now()).toISOString(),
    });
    expect(keys.map(({ mode, permission }) => [mode, permission])).toEqual([
      ['live', 'full'],
      ['test', 'full'],
    ]);
    for (const { secret } of keys) {
      const seen = (await api.ask('GET', '/v1/workspaces', { key: secret })).json.data as { id: string }[];
      expect(seen.map((one) => one.id)).toEqual([id]);
      const stored = (await api.ask('GET', '/v1/api-keys', { key: secret })).text;
      expect(stored).not.toContain(secret);
    }
    const environments = (await api.store.accounts.environments()).filter((one) => one.workspaceId === id);
    expect(environments.map(({ mode }) => mode).sort()).toEqual(['live', 'test']);
    await api.store.commit([
      appendEvent({
        event: {
          environmentId: environments[0]?.environmentId ?? 0,
          workspaceNumber: environments[0]?.workspaceNumber ?? 0,
          messageId: null,
          subjectId: 'tnt_x',
          event: 'tenant_warned',
          actor: 'worker',
          occurredAt: clock.now(),
        },
      }),
    ]);
  });

  it('has no keys unless they are requested', async () => {
    expect((await made({ name: 'Bare' })).api_keys).toEqual([]);
  });

  it('has a unique number in simultaneous requests, up to the limit', async () => {
    const there = (await api.store.accounts.workspacesBelow(2 ** 17 - 1)).count;
    const answers = await Promise.all(
      Array.from({ length: LIMIT }, (_, i) => make({ name: `Of many ${i}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMIT - there);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(there);
    const environments = await api.store.accounts.environments();
    expect(new Set(environments.map(({ environmentId }) => environmentId)).size).toBe(2 * LIMIT);
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x', retention_days: -1 }, 'retention_days'],
    [{ name: 'x', retention_mode: 'burn' }, 'retention_mode'],
    [{ name: 'x', plan: 'unlimited' }, 'plan'],
  ])('is refused for %j', async (body, param) => {
    const answer = await make(body);
    expect([answer.status, answer.json.error.param]).toEqual([422, param]);
  });
});

describe('access to workspaces', () => {
  it("is limited to a key's own, and a foreign one looks like an unknown one", async () => {
    const { rows } = await api.store.accounts.workspaces(api.organizationId, { limit: 100, after: null });
    // All were created at the same time of a fixed clock, so their order is random.
    const row = rows.find(({ id }) => id !== api.workspaceId);
    expect(row).toBeDefined();
    const unknown = 'ws_01jz0000000000000000000000';
    const full = await api.addKey({});
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'taken over' }],
    ] as const) {
      if (method === 'PATCH') {
        expect((await api.ask(method, `/v1/workspaces/${api.workspaceId}`, { key: full, body })).status).toBe(
          403,
        );
        continue;
      }
      const [foreign, none] = await Promise.all(
        [row?.id ?? '', unknown].map((id) =>
          api.ask(method, `/v1/workspaces/${id}`, {
            key: full,
            headers: { 'x-request-id': 'same' },
          }),
        ),
      );
      expect([foreign?.status, foreign?.text]).toEqual([404, none?.text]);
    }
    const seen = async (key?: string) => {
      const { json } = await api.ask('GET', '/v1/workspaces', key === undefined ? {} : { key });
      return (json.data as { id: string }[]).map(({ id }) => id);
    };
    expect(await seen(full)).toEqual([api.workspaceId]);
    expect(await seen()).toContain(row?.id);
  });

  it('requires a live key of permission admin to create or change one', async () => {
    const tenant = await api.addTenant('acme');
    const keys = [
      api.testKey,
      await api.addKey({ permission: 'read' }),
      await api.addKey({ permission: 'send' }),
      await api.addKey({ permission: 'full' }),
      await api.addKey({ mode: 'test', permission: 'admin' }),
      await api.addKey({ subTenantId: tenant }),
    ];
    for (const key of keys) {
      expect((await make({ name: 'x' }, key)).status).toBe(403);
      const changed = await api.ask('PATCH', `/v1/workspaces/${api.workspaceId}`, {
        key,
        body: { name: 'x' },
      });
      expect(changed.status).toBe(403);
    }
    const headers = { 'x-sub-tenant-id': tenant };
    expect((await api.ask('GET', '/v1/workspaces', { headers })).status).toBe(403);
  });
});

it('is renamed, and gets a retention period', async () => {
  clock.advance(1000);
  const body = { name: 'Renamed', retention_days: 0 };
  const changed = await api.ask('PATCH', `/v1/workspaces/${api.workspaceId}`, { body });
  expect(changed.json).toMatchObject({ ...body, updated_at: new Date(clock.now()).toISOString() });
  const cleared = { retention_days: null, retention_mode: 'redact' };
  await api.ask('PATCH', `/v1/workspaces/${api.workspaceId}`, { body: cleared });
  const read = await api.ask('GET', `/v1/workspaces/${api.workspaceId}`);
  expect(read.json).toMatchObject({ name: 'Renamed', ...cleared });
});
