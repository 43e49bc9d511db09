// Tests that the use of a plan is counted once for all workspaces, is given back for messages that were never sent, and never
// exceeds the plan.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { usageRoutes } from '../../src/accounts/usage.routes.js';
import type { MessageRequest } from '../../src/messages/message.schema.js';
import { Refusal } from '../../src/contract/refusal.js';
import { compilePlans } from '../../src/accounts/quota.rules.js';
import type { Scope } from '../../src/database/scope.js';
import { planWorkspace } from '../../src/accounts/workspace-plan.js';
import { createQuotaCheck } from '../../src/messages/accept/quota-check.js';
import { testDisk } from '../support/disk.js';
import { MINIMAL, startMessageRig, TOKEN_KEY, type MessageRig } from '../support/message-rig.js';
import { sized } from '../support/run-size.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import type { Change } from '../../src/database/change.js';
import { usage, organizations } from '../../src/accounts/accounts.tables.js';
import { remove, update } from '../../src/database/rows.js';
import { advanceMessage } from '../../src/messages/message-changes.store.js';
import { countUse, countKeyUse } from '../../src/accounts/usage.store.js';
import { templates } from '../../src/templates/templates.tables.js';
import { Submission } from '../../src/messages/accept/accept.js';

const DAY_MS = 86_400_000;
const PLANS = compilePlans({
  free: { daily_sends: 10, monthly_sends: 15, types: { marketing: { daily_sends: 3 } } },
  unlimited: { daily_sends: null, monthly_sends: null },
});

let rig: MessageRig;
let submission: Submission;
let live: Scope;
let second: Scope;

beforeAll(async () => {
  rig = await startMessageRig();
  await rig.setOrganization({ postal_address: '1 High Street' });
  live = await rig.scopeOf('live');
  await rig.addContact('ann@example.com', {});
  const { organizationId } = live;
  await rig.commit(...planWorkspace({ id: 'ws_second', number: 2, organizationId, name: 'Second' }, 1));
  second = { ...(await rig.store.accounts.environmentOf('ws_second', 'live')), subTenantId: null };
  await rig.addSender({
    workspace_id: 'ws_second',
    kind: 'domain',
    identity: 'sender.example',
    status: 'verified',
  });
  submission = open();
});
afterAll(() => rig.close());
beforeEach(() => rig.setOrganization({ plan: 'free' }));
afterEach(async () => {
  await rig.setOrganization({ plan: 'unlimited' });
  await rig.commit(remove(usage, { where: {} }));
});

function open(): Submission {
  const { store, renderer, config, clock } = rig;
  return new Submission({
    store,
    renderer,
    quota: createQuotaCheck(PLANS),
    disk: testDisk(),
    config,
    tokenKey: TOKEN_KEY,
    clock: clock.now,
    wakeUps: { queue: () => undefined, events: () => undefined },
  });
}

async function send(fields: Partial<MessageRequest> = {}, scope = live) {
  const context = { actor: 'api', keyId: null, policy: null, idempotencyHeader: null } as const;
  const { message } = await submission.accept(scope, { ...MINIMAL, ...fields }, context);
  const [row] = await rig.raw('SELECT id FROM messages WHERE public_id = ?', [message.public_id]);
  return Number(row?.['id']);
}

async function used(): Promise<Record<string, number>> {
  const today = Math.floor(rig.clock.now() / DAY_MS);
  return (await rig.store.usage.ofOrganization(live.organizationId, { today, monthStart: today })).day;
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof Refusal ? { code: error.code, ...error.details } : error;
}

type End = 'canceled' | 'suppressed' | 'failed' | 'bounced';
const ending = (messageId: number, to: End) =>
  ({ messageId, to, from: ['queued', 'sending', 'sent'] }) as const;
const end = (messageId: number, to: End): Change => advanceMessage(ending(messageId, to));

describe('a plan', () => {
  it('of 10 a day allows exactly 10 simultaneous sends across both workspaces', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: sized({ small: 40, full: 100 }) }, (_, i) =>
        send({}, i % 2 === 0 ? live : second),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const reasons = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as Refusal] : []));
    expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(['quota_exceeded']));
    expect((await used())['transactional']).toBe(10);
  });

  it('can be used up completely by sequential and by simultaneous sends', async () => {
    for (let round = 0; round < 5; round++) await Promise.all([send(), send()]);
    expect(await refusal(send())).toEqual({
      code: 'quota_exceeded',
      period: 'day',
      limit: 10,
      used: 10,
      resets_at: '2026-01-03T00:00:00.000Z',
    });
  });

  it('names the type whose limit was reached', async () => {
    const marketing = { type: 'marketing', to: 'ann@example.com' } as const;
    await Promise.all([send(marketing), send(marketing), send(marketing)]);
    expect(await refusal(send(marketing))).toMatchObject({
      type: 'marketing',
      limit: 3,
      used: 3,
      period: 'day',
    });
    await send();
    expect(await used()).toEqual({ transactional: 1, marketing: 3, sales: 0 });
  });

  it('accepts all recipients of a request or none', async () => {
    const cc = Array.from({ length: 10 }, (_, i) => `c${i}@example.com`);
    expect(await refusal(send({ cc }))).toMatchObject({ code: 'quota_exceeded', used: 0 });
    await send({ cc: cc.slice(1) });
    expect((await used())['transactional']).toBe(10);
  });

  it('counts the days of a month and starts again in the next', async () => {
    const day = Math.floor(rig.clock.now() / DAY_MS);
    const count = (on: number, sends: number): Change =>
      countUse({ environmentId: second.environmentId, day: on, type: 'sales', sends });
    await rig.commit(count(day - 1, 15));
    expect(await refusal(send())).toMatchObject({ period: 'month', limit: 15, used: 15 });
    await rig.commit(remove(usage, { where: {} }), count(day - 2, 100));
    await send();
  });

  it('survives a restart', async () => {
    await Promise.all(Array.from({ length: 10 }, () => send()));
    await rig.restart();
    submission = open();
    expect(await refusal(send())).toMatchObject({ code: 'quota_exceeded', used: 10 });
  });

  it('does not count the sandbox', async () => {
    const test = await rig.scopeOf('test');
    await Promise.all(Array.from({ length: 20 }, () => send({}, test)));
    expect(await used()).toEqual({ transactional: 0, marketing: 0, sales: 0 });
  });
});

describe('sends that are returned to the quota', () => {
  it.each(['canceled', 'suppressed', 'failed', 'bounced'] as const)(
    'are %s before the first attempt',
    async (to) => {
      const id = await send();
      expect((await used())['transactional']).toBe(1);
      await rig.commit(end(id, to));
      expect((await used())['transactional']).toBe(0);
      await rig.commit(end(id, to));
      await rig.commit(end(id, 'failed'));
      expect((await used())['transactional']).toBe(0);
    },
  );

  it.each(['canceled', 'suppressed', 'failed', 'bounced'] as const)(
    'are not %s after an attempt',
    async (to) => {
      const id = await send();
      await rig.commit(advanceMessage({ messageId: id, to: 'sent', from: ['queued'] }), end(id, to));
      expect((await used())['transactional']).toBe(1);
    },
  );

  it('are returned once, even if two requests end the message', async () => {
    const ids = await Promise.all([send(), send(), send()]);
    const [first] = ids;
    await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        rig.store.commit([
          advanceMessage({
            ...ending(first, 'canceled'),
            otherwise: { code: 'message_not_cancelable' },
          }),
        ]),
      ),
    );
    expect((await used())['transactional']).toBe(2);
  });

  it('are not returned if the plan that ends the message is refused', async () => {
    const id = await send();
    const gone = rig.store.commit([
      end(id, 'canceled'),
      remove(templates, { where: { id: 'none' }, otherwise: { code: 'not_found' } }),
    ]);
    await expect(gone).rejects.toMatchObject({ code: 'not_found' });
    expect((await used())['transactional']).toBe(1);
  });

  it('are returned to the day that they were counted on', async () => {
    const id = await send({ send_at: new Date(rig.clock.now() + 2 * DAY_MS).toISOString() });
    const before = await used();
    rig.clock.advance(DAY_MS);
    await send();
    await rig.commit(end(id, 'canceled'));
    expect([before['transactional'], (await used())['transactional']]).toEqual([1, 1]);
    rig.clock.advance(-DAY_MS);
    expect((await used())['transactional']).toBe(0);
  });

  it('never make the count negative, and only include counted messages', async () => {
    const test = await rig.scopeOf('test');
    const [sandboxed, counted] = [await send({}, test), await send()];
    await send();
    await rig.commit(end(sandboxed, 'canceled'));
    expect((await used())['transactional']).toBe(2);
    await rig.commit(remove(usage, { where: {} }));
    await rig.commit(end(counted, 'canceled'));
    expect((await used())['transactional']).toBe(0);
    await rig.suppress('live', 'no@example.com', 'bounce');
    await send({ to: 'no@example.com' });
    expect((await used())['transactional']).toBe(0);
  });

  it('can be used by others', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(await refusal(send())).toMatchObject({ code: 'quota_exceeded' });
    await rig.commit(end(ids[0] ?? 0, 'canceled'));
    await send();
    expect(await refusal(send())).toMatchObject({ code: 'quota_exceeded' });
  });
});

describe('the usage of a key', () => {
  const today = () => Math.floor(rig.clock.now() / DAY_MS);
  const accept = (keyId: string | null, fields: Partial<MessageRequest> = {}, scope = live) =>
    submission.accept(
      scope,
      { ...MINIMAL, ...fields },
      { actor: keyId === null ? 'user' : 'api', keyId, policy: null, idempotencyHeader: null },
    );
  const brought = async (keyId: string) =>
    (await rig.store.keyUsage.days([keyId], today() - 30, today())).map(({ messages }) => messages);

  it('counts each recipient once, also in simultaneous requests and in the sandbox', async () => {
    const test = await rig.scopeOf('test');
    await Promise.all([
      ...Array.from({ length: 4 }, () => accept('key_one', {}, test)),
      accept('key_one', { to: ['ann@example.com', 'bob@example.com'] }),
      accept('key_two'),
      accept(null),
    ]);
    expect([await brought('key_one'), await brought('key_two')]).toEqual([[6], [1]]);
    rig.clock.advance(DAY_MS);
    await accept('key_one');
    expect(await brought('key_one')).toEqual([6, 1]);
    rig.clock.advance(-DAY_MS);
  });

  it('counts neither repeated nor refused requests', async () => {
    const again = { idempotency_key: 'once' };
    await accept('key_three', again);
    await accept('key_three', again);
    await Promise.allSettled([
      accept('key_three', { template: 'nothing' }),
      ...Array.from({ length: 12 }, () => accept('key_three')),
    ]);
    expect((await used())['transactional']).toBe(10);
    expect(await brought('key_three')).toEqual([10]);
  });

  it('is deleted after its retention time', async () => {
    await accept('key_four');
    expect(await rig.store.keyUsage.prune(today() * DAY_MS, 100)).toBe(0);
    expect(await rig.store.keyUsage.prune((today() + 1) * DAY_MS, 1)).toBe(1);
    expect(await rig.store.keyUsage.prune((today() + 2) * DAY_MS, 100)).toBeGreaterThan(0);
    expect(await brought('key_four')).toEqual([]);
  });
});

describe('GET /v1/usage', () => {
  let api: StartedApi;
  beforeAll(async () => {
    api = await startApi({
      clock: () => Date.UTC(2026, 0, 2, 12),
      routes: (store) => [
        (app) => usageRoutes(app, { store, plans: PLANS, clock: () => Date.UTC(2026, 0, 2, 12) }),
      ],
    });
    const { environmentId } = await api.scopeOf('live');
    const today = Date.UTC(2026, 0, 2) / DAY_MS;
    const { organizationId } = api;
    await api.store.commit([
      ...planWorkspace({ id: 'ws_other', number: 2, organizationId, name: 'Other' }, 1),
      update(organizations, { set: { plan: 'free' }, where: {} }),
      countUse({ environmentId, day: today, type: 'marketing', sends: 2 }),
      countUse({ environmentId, day: today - 1, type: 'sales', sends: 4 }),
      countUse({ environmentId: 3, day: today, type: 'transactional', sends: 7 }),
    ]);
  });
  afterAll(() => api.close());

  it('shows the used and remaining sends, and the reset time', async () => {
    const answer = await api.ask('GET', '/v1/usage');
    expect(answer.json).toEqual({
      object: 'usage',
      plan: 'free',
      day: {
        starts_at: '2026-01-02T00:00:00.000Z',
        resets_at: '2026-01-03T00:00:00.000Z',
        used: 9,
        limit: 10,
        remaining: 1,
        workspace_used: 2,
        types: [
          { type: 'transactional', used: 7, limit: null, remaining: null },
          { type: 'marketing', used: 2, limit: 3, remaining: 1 },
          { type: 'sales', used: 0, limit: null, remaining: null },
        ],
      },
      month: {
        starts_at: '2026-01-01T00:00:00.000Z',
        resets_at: '2026-02-01T00:00:00.000Z',
        used: 13,
        limit: 15,
        remaining: 2,
        workspace_used: 6,
        types: [
          { type: 'transactional', used: 7, limit: null, remaining: null },
          { type: 'marketing', used: 2, limit: null, remaining: null },
          { type: 'sales', used: 4, limit: null, remaining: null },
        ],
      },
    });
  });

  it('is empty in the sandbox, and refused to sub-tenants', async () => {
    const inTest = await api.ask('GET', '/v1/usage', { key: api.testKey });
    expect(inTest.json).toMatchObject({ plan: 'free', day: { used: 0, limit: null, remaining: null } });
    const key = await api.addKey({ subTenantId: await api.addTenant('acme') });
    expect((await api.ask('GET', '/v1/usage', { key })).status).toBe(403);
  });

  it('shows the usage of each key of the workspace by day', async () => {
    const made = await api.ask('GET', '/v1/usage/api-keys?order=created_at');
    const keys = made.json.data as { api_key_id: string; mode: string; sub_tenant_id: string | null }[];
    const [keyId = '', other = ''] = ['live', 'test'].map(
      (mode) => keys.find((key) => key.mode === mode && key.sub_tenant_id === null)?.api_key_id,
    );
    const day = Date.UTC(2026, 0, 2) / DAY_MS;
    await api.store.commit([
      countKeyUse({ keyId, day, messages: 2 }),
      countKeyUse({ keyId, day: day - 1, messages: 40 }),
      countKeyUse({ keyId, day: day - 30, messages: 500 }),
    ]);
    const { status, json } = await api.ask('GET', '/v1/usage/api-keys?order=created_at');
    expect(status).toBe(200);
    const of = (answer: { data: { api_key_id: string; messages: number }[] }, id: string) =>
      answer.data.find(({ api_key_id }) => api_key_id === id);
    expect(of(json, keyId)).toEqual({
      object: 'api_key_usage',
      api_key_id: keyId,
      name: 'First live key',
      permission: 'admin',
      mode: 'live',
      sub_tenant_id: null,
      last_used_at: null,
      messages: 42,
      days: [
        { date: '2026-01-01', messages: 40 },
        { date: '2026-01-02', messages: 2 },
      ],
    });
    expect(of(json, other)).toMatchObject({ messages: 0, days: [] });
    const today = (await api.ask('GET', '/v1/usage/api-keys?days=1')).json;
    expect(of(today, keyId)?.messages).toBe(2);
    const page = (await api.ask('GET', '/v1/usage/api-keys?limit=1')).json;
    expect([page.data.length, page.has_more]).toEqual([1, true]);
    const long = (await api.ask('GET', '/v1/usage/api-keys?days=31')).json;
    expect(of(long, keyId)?.messages).toBe(542);
    expect((await api.ask('GET', '/v1/usage/api-keys?days=0')).status).toBe(422);
    const key = await api.addKey({ subTenantId: await api.addTenant('bolt') });
    const own = (await api.ask('GET', '/v1/usage/api-keys', { key })).json;
    expect(own.data).toHaveLength(1);
    const send = await api.addKey({ permission: 'send' });
    expect((await api.ask('GET', '/v1/usage/api-keys', { key: send })).status).toBe(403);
  });
});
