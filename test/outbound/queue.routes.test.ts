// Tests the queue through the API: waiting mail with reasons, attempts, explanations, and actions.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttemptDetail } from '../../src/messages/attempt.schema.js';
import { newId } from '../../src/lib/runtime/index.js';
import type { Scope } from '../../src/database/scope.js';
import { newWorld } from '../database/contract/builders.js';
import { startQueueApi, type QueueApi, type QueuedWish } from '../support/queue-api.js';
import type { LimitOverride } from '../../src/outbound/outbound.tables.js';
import { recordAttempt, dequeueMessage } from '../../src/messages/message-changes.store.js';
import { smtpSessions } from '../../src/messages/messages.tables.js';
import { insert } from '../../src/database/rows.js';
import { suppress } from '../../src/suppressions/suppression-changes.store.js';

const HOUR = 3_600_000;
const NOW_TEXT = '2026-01-02T03:04:05.678Z';
const DESTINATIONS = '/v1/queue/destinations';
let rig: QueueApi;
let live: Scope;

beforeEach(async () => {
  rig = await startQueueApi();
  live = await rig.scopeOf('live');
});
afterEach(() => rig.close());

const enqueue = (wish?: QueuedWish) => rig.enqueue(wish);

/** `tenant` is '' for the whole workspace. */
async function suppressAnn(tenant: string): Promise<string> {
  const id = newId('sup', rig.clock.now());
  const row = {
    id,
    environment_id: live.environmentId,
    sub_tenant_key: tenant,
    email: 'ann@example.com',
    email_key: 'ann@example.com',
    reason: 'bounce' as const,
    message_public_id: null,
    reply: null,
    created_at: rig.clock.now(),
  };
  await rig.commit(suppress({ row }));
  return id;
}

const DETAIL: AttemptDetail = {
  outcome: 'deferred',
  phase: 'rcpt',
  code: 451,
  enhanced_code: '4.7.1',
  category: 'greylist',
  reply: 'Greylisted, come back later',
  source: 'default',
  via: 'mta',
  host: 'mx.example.com',
  address: '192.0.2.1',
  local_address: '192.0.2.9',
  tls: {
    version: 'TLSv1.3',
    cipher: 'TLS_AES_256_GCM_SHA384',
    verified: true,
    error: null,
    policy: 'opportunistic',
  },
  times: { mail: 1, rcpt: 2 },
  duration_ms: 20,
  next_attempt_at: null,
};

async function attempted(
  rowId: number,
  number: number,
  change: Partial<AttemptDetail> = {},
  sessionId: string | null = null,
) {
  await rig.commit(
    recordAttempt({
      messageId: rowId,
      number,
      at: rig.clock.now() + number,
      sessionId,
      detail: JSON.stringify({ ...DETAIL, ...change }),
      conversation: '> RCPT TO:<ann@example.com>\n< 451 4.7.1 Greylisted, come back later',
    }),
  );
}

/** Deferred twice, and due again in an hour. */
async function deferredMessage(wish: QueuedWish = {}) {
  const queue = { attempts: 2, due_at: rig.clock.now() + HOUR, ...wish.queue };
  const made = await enqueue({ ...wish, queue, row: { status: 'sent', provider: 'mta', ...wish.row } });
  await attempted(made.rowId, 1);
  await attempted(made.rowId, 2);
  return made;
}

const domains = (answer: { json: { data: { domain: string }[] } }) =>
  answer.json.data.map(({ domain }) => domain);

describe('GET /v1/queue', () => {
  it('sums up the waiting mail', async () => {
    const now = rig.clock.now();
    await enqueue();
    await enqueue({ queue: { due_at: now + HOUR } });
    await enqueue({ domain: 'other.example', queue: { lease_until: now + HOUR, lease_owner: 'w1' } });
    await enqueue({ queue: { hold_reason: 'signing: no key' } });
    await enqueue({ scope: await rig.scopeOf('test') });
    const answer = await rig.ask('GET', '/v1/queue');
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      object: 'queue',
      depth: 4,
      due: 2,
      scheduled: 1,
      leased: 1,
      held: 1,
      transactional: 4,
      bulk: 0,
      destinations: 2,
      oldest_at: NOW_TEXT,
      next_attempt_at: NOW_TEXT,
    });
    expect((await rig.ask('GET', '/v1/queue', { key: rig.testKey })).json).toMatchObject({ depth: 1 });
  });

  it('is empty without waiting mail', async () => {
    expect((await rig.ask('GET', '/v1/queue')).json).toMatchObject({
      depth: 0,
      destinations: 0,
      oldest_at: null,
      next_attempt_at: null,
    });
  });

  it('shows a sub-tenant only its own mail', async () => {
    await rig.addTenant('tnt_one');
    const scope = await rig.scopeOf('live', 'tnt_one');
    await enqueue();
    await enqueue({ scope });
    const key = await rig.addKey(scope, 'read');
    expect((await rig.ask('GET', '/v1/queue', { key })).json.depth).toBe(1);
    expect((await rig.ask('GET', '/v1/queue')).json.depth).toBe(2);
    const headers = { 'x-sub-tenant-id': 'tnt_one' };
    expect((await rig.ask('GET', '/v1/queue', { headers })).json.depth).toBe(1);
  });

  it('requires a key that can read', async () => {
    const key = await rig.addKey(live, 'send');
    expect((await rig.ask('GET', '/v1/queue', { key })).status).toBe(403);
    expect((await rig.ask('GET', DESTINATIONS, { key })).status).toBe(403);
  });
});

describe('GET /v1/queue/destinations', () => {
  it('lists the deepest queues first, in pages', async () => {
    for (const [domain, count] of [
      ['a.example', 1],
      ['b.example', 3],
      ['c.example', 1],
      ['d.example', 2],
    ] as const) {
      for (let i = 0; i < count; i++) await enqueue({ domain });
    }
    const first = await rig.ask('GET', `${DESTINATIONS}?limit=3`);
    expect(domains(first)).toEqual(['b.example', 'd.example', 'a.example']);
    expect(first.json.has_more).toBe(true);
    const second = await rig.ask('GET', `${DESTINATIONS}?limit=3&cursor=${String(first.json.next_cursor)}`);
    expect(domains(second)).toEqual(['c.example']);
    expect(second.json).toMatchObject({ has_more: false, next_cursor: null });
    expect(domains(await rig.ask('GET', `${DESTINATIONS}?domain=D.example`))).toEqual(['d.example']);
    expect(domains(await rig.ask('GET', `${DESTINATIONS}?domain=none.example`))).toEqual([]);
    expect((await rig.ask('GET', `${DESTINATIONS}?domain=a_b`)).status).toBe(422);
    expect((await rig.ask('GET', `${DESTINATIONS}?cursor=eA`)).json.error.code).toBe('invalid_cursor');
  });

  it('shows why mail waits, and the last reply', async () => {
    await deferredMessage({ domain: 'gmail.com' });
    const { json } = await rig.ask('GET', DESTINATIONS);
    expect(json.data).toEqual([
      {
        object: 'queue_destination',
        domain: 'gmail.com',
        provider: 'google',
        depth: 1,
        due: 0,
        leased: 0,
        held: 0,
        oldest_at: NOW_TEXT,
        next_attempt_at: '2026-01-02T04:04:05.678Z',
        state: 'deferred',
        reason: {
          code: 'deferred_greylisted',
          text: "the recipient's mail server temporarily rejects unknown senders (greylisting)",
          until: '2026-01-02T04:04:05.678Z',
        },
        pauses: [],
        last_reply: {
          at: '2026-01-02T03:04:05.680Z',
          code: 451,
          enhanced_code: '4.7.1',
          text: 'Greylisted, come back later',
          host: 'mx.example.com',
        },
      },
    ]);
  });

  it('has a state for each reason to wait', async () => {
    const now = rig.clock.now();
    await enqueue({ domain: 'waiting.example' });
    await enqueue({ domain: 'scheduled.example', queue: { due_at: now + HOUR } });
    await enqueue({ domain: 'flowing.example', queue: { lease_until: now + 1, lease_owner: 'w' } });
    await enqueue({ domain: 'held.example', queue: { hold_reason: 'fault: EIO' } });
    await enqueue({ domain: 'suspended.example' });
    await enqueue({ domain: 'limited.example' });
    await enqueue({ domain: 'paused.example' });
    rig.traffic.reasons.set('suspended.example', {
      code: 'circuit_open',
      until: now + HOUR,
      detail: 'ECONNREFUSED',
    });
    rig.traffic.reasons.set('limited.example', { code: 'warm_up', until: null, detail: '' });
    await rig.ask('POST', `${DESTINATIONS}/paused.example/pause`, { body: { reason: 'moving' } });
    await rig.ask('POST', `${DESTINATIONS}/empty.example/pause`);
    const { json } = await rig.ask('GET', DESTINATIONS);
    const states = (json.data as { domain: string; state: string; reason: { code: string } | null }[]).map(
      ({ domain, state, reason }) => [domain, state, reason?.code ?? null],
    );
    expect(Object.fromEntries(states.map(([domain, ...rest]) => [domain, rest]))).toEqual({
      'waiting.example': ['waiting', null],
      'scheduled.example': ['waiting', null],
      'flowing.example': ['flowing', null],
      'held.example': ['waiting', 'held'],
      'suspended.example': ['suspended', 'circuit_open'],
      'limited.example': ['limited', 'warm_up'],
      'paused.example': ['paused', 'destination_paused'],
      'empty.example': ['paused', 'destination_paused'],
    });
    const texts = (json.data as { reason: { text: string } | null }[]).map(({ reason }) => reason?.text);
    expect(texts).toContain('Delivery to paused.example is paused: moving');
    expect(texts).toContain(
      'Mailkeel could not connect to suspended.example. After a pause, it tries again with one message. (ECONNREFUSED)',
    );
  });
});

describe('actions on a destination', () => {
  it('retry all deferred mail of the scope now', async () => {
    const { queueId, rowId } = await deferredMessage();
    await enqueue({ queue: { due_at: rig.clock.now() + HOUR } });
    // Both were greylisted, long enough ago.
    rig.clock.advance(6 * 60_000);
    await rig.addTenant('tnt_one');
    const tenant = await rig.scopeOf('live', 'tnt_one');
    const other = await deferredMessage({ scope: tenant });
    rig.clock.advance(6 * 60_000);
    const key = await rig.addKey(tenant);
    const narrow = await rig.ask('POST', `${DESTINATIONS}/example.com/retry`, { key });
    expect(narrow.json).toEqual({ object: 'queue_retry', domain: 'example.com', retried: 1, waiting: 0 });
    expect(rig.traffic.calls).toEqual([['notify', [other.queueId]]]);
    expect(rig.traffic.probed).toEqual(['example.com']);
    // Neither the sandbox nor callers without mail to the destination can cause a connection.
    await rig.ask('POST', `${DESTINATIONS}/example.com/retry`, { key: rig.testKey });
    await rig.ask('POST', `${DESTINATIONS}/elsewhere.example/retry`);
    expect(rig.traffic.probed).toEqual(['example.com']);
    rig.traffic.calls.length = 0;
    const wide = await rig.ask('POST', `${DESTINATIONS}/EXAMPLE.com/retry`);
    expect(wide.json).toMatchObject({ domain: 'example.com', retried: 1 });
    const rows = await rig.ask('GET', '/v1/queue');
    expect(rows.json).toMatchObject({ depth: 3, due: 2 });
    expect(queueId).not.toBe(other.queueId);
    expect(rowId).toBeGreaterThan(0);
  });

  it('respect the wait that its last reply requested, once a minute', async () => {
    await deferredMessage();
    const retry = (domain = 'example.com') => rig.ask('POST', `${DESTINATIONS}/${domain}/retry`);
    expect((await retry()).json).toMatchObject({ retried: 0, waiting: 1 });
    expect(rig.traffic.probed).toEqual(['example.com']);
    for (let call = 0; call < 90; call += 1) {
      const refused = await retry();
      expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited']);
      expect(refused.headers['retry-after']).toBe('60');
    }
    await deferredMessage({ domain: 'other.example' });
    expect((await retry('other.example')).status).toBe(200);
    expect(rig.traffic.probed).toEqual(['example.com', 'other.example']);
    rig.clock.advance(60_000);
    expect((await retry()).json).toMatchObject({ retried: 0, waiting: 1 });
    rig.clock.advance(5 * 60_000);
    expect((await retry()).json).toMatchObject({ retried: 1, waiting: 0 });
  });

  it('pause and resume it for the scope of the key', async () => {
    await rig.addTenant('tnt_one');
    const tenant = await rig.scopeOf('live', 'tnt_one');
    await enqueue({ scope: tenant });
    const key = await rig.addKey(tenant);
    const place = { environmentId: live.environmentId, domain: 'example.com' };

    const paused = await rig.ask('POST', `${DESTINATIONS}/example.com/pause`, {
      key,
      body: { reason: 'audit' },
    });
    expect(paused.status).toBe(200);
    expect(paused.json).toMatchObject({ state: 'paused', depth: 1 });
    await rig.ask('POST', `${DESTINATIONS}/example.com/pause`);
    expect(rig.traffic.calls).toMatchObject([
      ['pause', { domain: 'example.com', sub_tenant_key: 'tnt_one', reason: 'audit' }],
      ['pause', { domain: 'example.com', sub_tenant_key: '', reason: '' }],
    ]);

    const refused = await rig.ask('POST', `${DESTINATIONS}/example.com/resume`, { key });
    expect([refused.status, refused.json.error.code]).toEqual([409, 'conflict']);
    const resumed = await rig.ask('POST', `${DESTINATIONS}/example.com/resume`);
    expect(resumed.json).toMatchObject({ state: 'waiting', reason: null });
    expect(rig.traffic.calls.at(-2)).toEqual(['resume', { ...place, subTenantKey: '' }]);
    expect((await rig.ask('POST', `${DESTINATIONS}/example.com/resume`, { key })).status).toBe(200);
  });

  it('names the owner of each pause, whose scope resumes it', async () => {
    await rig.addTenant('tnt_one');
    const tenant = await rig.scopeOf('live', 'tnt_one');
    await enqueue({ scope: tenant });
    const key = await rig.addKey(tenant);
    const url = `${DESTINATIONS}/example.com`;
    await rig.ask('POST', `${url}/pause`, { key, body: { reason: 'audit' } });
    const { json } = await rig.ask('POST', `${url}/pause`, { body: { reason: 'moving' } });
    const owners = (pauses: { sub_tenant_id: string | null }[]) => pauses.map((one) => one.sub_tenant_id);
    expect(owners(json.pauses).toSorted()).toEqual(['tnt_one', null].toSorted());
    expect(json.pauses).toContainEqual({ sub_tenant_id: 'tnt_one', reason: 'audit', created_at: NOW_TEXT });
    const resumed = await rig.ask('POST', `${url}/resume`);
    expect([resumed.json.state, owners(resumed.json.pauses)]).toEqual(['paused', ['tnt_one']]);
    const headers = { 'x-sub-tenant-id': 'tnt_one' };
    const last = await rig.ask('POST', `${url}/resume`, { headers });
    expect([last.json.state, last.json.pauses]).toEqual(['waiting', []]);
  });

  it('says in German why it is paused, too', async () => {
    const headers = { 'accept-language': 'de' };
    const paused = await rig.ask('POST', `${DESTINATIONS}/example.com/pause`, { headers });
    expect(paused.json.reason.text).toBe('Die Zustellung an example.com ist pausiert.');
  });

  it('require a full key and a domain', async () => {
    for (const permission of ['read', 'send'] as const) {
      const key = await rig.addKey(live, permission);
      for (const action of ['retry', 'pause', 'resume']) {
        expect((await rig.ask('POST', `${DESTINATIONS}/example.com/${action}`, { key })).status).toBe(403);
      }
    }
    const wrong = await rig.ask('POST', `${DESTINATIONS}/localhost/pause`);
    expect([wrong.status, wrong.json.error.param]).toEqual([422, 'domain']);
    const stray = await rig.ask('POST', `${DESTINATIONS}/example.com/pause`, { body: { because: 'x' } });
    expect(stray.status).toBe(422);
  });
});

describe('active limits', () => {
  const limit = (change: Partial<LimitOverride> = {}): LimitOverride => ({
    id: newId('evt', rig.clock.now()).replace('evt', 'ovr'),
    path: 'default/google',
    provider: 'google',
    site: '',
    source: 'default',
    kind: 'rate',
    value: '{"count":10,"per_ms":60000}',
    sub_tenant_key: '',
    rule: 'gmail-unusual-rate',
    reason: 'The mail host asks for less.',
    reply: '421 4.7.28 unusual rate for bob@example.com',
    created_at: rig.clock.now(),
    expires_at: rig.clock.now() + HOUR,
    ...change,
  });

  it('are shown to every reading key, and their replies only to the operator', async () => {
    const override = limit();
    rig.traffic.limits = [override];
    const { json } = await rig.ask('GET', '/v1/queue/overrides');
    expect(json.data).toEqual([
      {
        id: override.id,
        object: 'queue_override',
        path: 'default/google',
        provider: 'google',
        site: '',
        source: 'default',
        kind: 'rate',
        value: { count: 10, per_ms: 60000 },
        sub_tenant_id: null,
        rule: 'gmail-unusual-rate',
        reason: 'The mail host asks for less.',
        reply: '421 4.7.28 unusual rate for bob@example.com',
        created_at: NOW_TEXT,
        expires_at: '2026-01-02T04:04:05.678Z',
      },
    ]);
    const key = await outsiderKey();
    const seen = await rig.ask('GET', '/v1/queue/overrides', { key });
    expect(seen.json.data).toMatchObject([{ id: override.id, reply: null }]);
    // The operator's own customers count as customers.
    await rig.addTenant('tnt_one');
    const pinned = await rig.addKey(await rig.scopeOf('live', 'tnt_one'), 'read');
    const own = await rig.ask('GET', '/v1/queue/overrides', { key: pinned });
    expect(own.json.data).toMatchObject([{ id: override.id, reply: null }]);
  });

  it('show their values in the common format', async () => {
    const now = rig.clock.now();
    const breaker = { failures: 1, openedTimes: 1, openUntil: now, probing: false };
    const window = { limit: 3, goodSince: 0, ceiling: { limit: 4, refusals: 1, probeAt: now } };
    rig.traffic.limits = [breaker, window].map((value) => limit({ value: JSON.stringify(value) }));
    const { json } = await rig.ask('GET', '/v1/queue/overrides');
    const values = (json.data as { value: unknown }[]).map(({ value }) => value);
    expect(values).toContainEqual({ failures: 1, opened_times: 1, open_until: NOW_TEXT, probing: false });
    expect(values).toContainEqual({
      limit: 3,
      good_since: 0,
      ceiling: { limit: 4, refusals: 1, probe_at: NOW_TEXT },
    });
  });

  it('of a sub-tenant are shown to its workspace', async () => {
    await rig.addTenant('tnt_one');
    await rig.addTenant('tnt_two');
    rig.traffic.limits = [limit({ kind: 'suspend_tenant', sub_tenant_key: 'tnt_one' }), limit()];
    const count = async (key?: string) =>
      ((await rig.ask('GET', '/v1/queue/overrides', key === undefined ? {} : { key })).json.data as object[])
        .length;
    expect(await count()).toBe(2);
    expect(await count(await rig.addKey(await rig.scopeOf('live', 'tnt_one'), 'read'))).toBe(2);
    expect(await count(await rig.addKey(await rig.scopeOf('live', 'tnt_two'), 'read'))).toBe(1);
    expect(await count(await outsiderKey())).toBe(1);
  });

  it('are returned in pages, newest first', async () => {
    rig.traffic.limits = [1, 2, 3].map((n) => limit({ id: `ovr_0000000000000000000000000${n}` }));
    const first = await rig.ask('GET', '/v1/queue/overrides?limit=2');
    const second = await rig.ask(
      'GET',
      `/v1/queue/overrides?limit=2&cursor=${String(first.json.next_cursor)}`,
    );
    const ids = [...first.json.data, ...second.json.data].map(({ id }: { id: string }) => id.at(-1));
    expect(ids).toEqual(['3', '2', '1']);
  });

  it('can be lifted only by the operator', async () => {
    const override = limit();
    rig.traffic.limits = [override];
    const url = `/v1/queue/overrides/${override.id}`;
    await rig.addTenant('tnt_one');
    const others = [
      rig.testKey,
      await outsiderKey(),
      await rig.addKey(await rig.scopeOf('live', 'tnt_one')),
      await rig.addKey(live, 'read'),
    ];
    for (const key of others) {
      const refused = await rig.ask('DELETE', url, { key });
      expect([refused.status, refused.json.error.code]).toEqual([403, 'forbidden']);
    }
    const narrowed = await rig.ask('DELETE', url, { headers: { 'x-sub-tenant-id': 'tnt_one' } });
    expect(narrowed.status).toBe(403);
    expect((await rig.ask('DELETE', url)).json).toEqual({
      id: override.id,
      object: 'queue_override',
      deleted: true,
    });
    expect((await rig.ask('DELETE', url)).status).toBe(404);
  });

  /** Of a second workspace on the same appliance. */
  async function outsiderKey(): Promise<string> {
    const scope = await secondWorkspace();
    return rig.addKey(scope);
  }
});

/** The builders count workspaces from 1 in each test file; the rig's own is number 1. */
async function secondWorkspace(): Promise<Scope> {
  for (let number = 1; number < 100; number++) {
    try {
      return (await newWorld(rig.store)).live;
    } catch (error) {
      if (!String(error).includes('UNIQUE')) throw error;
    }
  }
  throw new Error('No workspace could be made.');
}

describe('GET /v1/messages/:id/attempts', () => {
  it('shows each attempt with its conversation, newest last', async () => {
    const { id, rowId } = await deferredMessage();
    const session = {
      id: 'ssn_1',
      at: rig.clock.now(),
      detail: JSON.stringify({ opening: ['< 220 mx.example.com'] }),
    };
    await rig.commit(insert(smtpSessions, { row: session }));
    await attempted(rowId, 2, {}, 'ssn_1');
    const { status, json } = await rig.ask('GET', `/v1/messages/${id}/attempts`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
    expect(json.data[1]).toEqual({
      object: 'attempt',
      message_id: id,
      number: 2,
      at: '2026-01-02T03:04:05.680Z',
      ...DETAIL,
      session_id: 'ssn_1',
      conversation: {
        opening: ['< 220 mx.example.com'],
        transaction: ['> RCPT TO:<ann@example.com>', '< 451 4.7.1 Greylisted, come back later'],
      },
    });
    expect(json.data[0]).toMatchObject({ number: 1, session_id: null, conversation: { opening: null } });
  });

  it('is available to keys that reach the message', async () => {
    const { id } = await enqueue();
    await rig.addTenant('tnt_one');
    const pinned = await rig.addKey(await rig.scopeOf('live', 'tnt_one'));
    const send = await rig.addKey(live, 'send');
    for (const what of ['attempts', 'explain']) {
      expect((await rig.ask('GET', `/v1/messages/${id}/${what}`, { key: pinned })).status).toBe(404);
      expect((await rig.ask('GET', `/v1/messages/${id}/${what}`, { key: rig.testKey })).status).toBe(404);
      expect((await rig.ask('GET', `/v1/messages/${id}/${what}`, { key: send })).status).toBe(200);
      expect((await rig.ask('GET', `/v1/messages/nonsense/${what}`)).status).toBe(404);
    }
  });
});

describe('GET /v1/messages/:id/explain', () => {
  const explained = async (id: string, key?: string) =>
    (await rig.ask('GET', `/v1/messages/${id}/explain`, key === undefined ? {} : { key })).json;

  it("explains the message's history in plain words", async () => {
    const { id } = await deferredMessage();
    const json = await explained(id);
    expect(json).toMatchObject({
      object: 'explanation',
      message_id: id,
      status: 'sent',
      code: 'deferred_greylisted',
      next: { at: '2026-01-02T04:04:05.678Z', what: 'Delivery attempt 3' },
      advice: [{ code: 'wait' }],
    });
    const codes = (json.chain as { code: string }[]).map(({ code }) => code);
    expect(codes).toEqual(['queued', 'attempt_deferred', 'attempt_deferred', 'deferred_greylisted']);
  });

  it('includes limit, pauses and suppressions', async () => {
    const { id } = await enqueue();
    expect((await explained(id)).code).toBe('waiting_turn');
    rig.traffic.reasons.set('example.com', {
      code: 'rate_limited',
      until: rig.clock.now() + HOUR,
      detail: '10/min',
    });
    const limited = await explained(id);
    expect(limited.code).toBe('rate_limited');
    expect(limited.next).toEqual({ at: '2026-01-02T04:04:05.678Z', what: 'First delivery attempt' });
    await rig.ask('POST', `${DESTINATIONS}/example.com/pause`, { body: { reason: 'audit' } });
    const paused = await explained(id);
    expect(paused.code).toBe('destination_paused');
    expect(paused.advice[0].calls[0].path).toBe('/v1/queue/destinations/example.com/resume');
    await suppressAnn('');
    expect((await explained(id)).code).toBe('suppression_pending');
  });

  type Call = { operation: string; method: string; path: string; sub_tenant_id: string | null };
  const callsFor = async (id: string, key?: string) =>
    ((await explained(id, key)).advice as { calls: Call[] }[]).flatMap(({ calls }) => calls);
  const make = ({ method, path, sub_tenant_id: tenant }: Call, key?: string) =>
    rig.ask(method, path, {
      ...(key === undefined ? {} : { key }),
      headers: tenant === null ? {} : { 'x-sub-tenant-id': tenant },
    });

  async function queuedOfTenant() {
    await rig.addTenant('tnt_one');
    const tenant = await rig.scopeOf('live', 'tnt_one');
    return { ...(await enqueue({ scope: tenant })), key: await rig.addKey(tenant) };
  }

  it('says who can end a pause, with the call for it', async () => {
    const { id, key } = await queuedOfTenant();
    await rig.ask('POST', `${DESTINATIONS}/example.com/pause`, { key });
    expect((await explained(id, key)).code).toBe('destination_paused');
    expect((await explained(id)).code).toBe('destination_paused_by_sub_tenant');
    for (const call of await callsFor(id)) await make(call);
    expect((await explained(id)).code).toBe('waiting_turn');
    await rig.ask('POST', `${DESTINATIONS}/example.com/pause`);
    expect((await explained(id, key)).code).toBe('destination_paused_by_workspace');
    expect(await callsFor(id, key)).toEqual([]);
    // Limited to a sub-tenant by the header, not by the key.
    const headers = { 'x-sub-tenant-id': 'tnt_one' };
    const { json } = await rig.ask('GET', `/v1/messages/${id}/explain`, { headers });
    expect(json.advice[0].calls).toMatchObject([
      { operation: 'queue.resumeDestination', sub_tenant_id: null },
    ]);
  });

  it("lifts every suppression that blocks a sub-tenant's message", async () => {
    const { id, key } = await queuedOfTenant();
    const own = await suppressAnn('tnt_one');
    const lifts = async (as?: string) =>
      (await callsFor(id, as)).filter(({ operation }) => operation === 'suppressions.delete');
    expect((await lifts(key)).map(({ path }) => path)).toEqual([`/v1/suppressions/${own}`]);
    await suppressAnn('');
    // The key can lift only one of the two.
    expect(await callsFor(id, key)).toEqual([]);
    const all = await lifts();
    expect(all).toHaveLength(2);
    for (const call of all) expect((await make(call)).status).toBe(200);
    expect((await explained(id)).code).toBe('waiting_turn');
  });
});

describe('POST /v1/messages/:id/retry', () => {
  const retry = (id: string, key?: string) =>
    rig.ask('POST', `/v1/messages/${id}/retry`, key === undefined ? {} : { key });

  it('makes a deferred message due, with a trail entry', async () => {
    const { id, queueId } = await deferredMessage();
    const early = await retry(id);
    expect([early.status, early.json.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(60);
    expect(rig.traffic.calls).toEqual([]);
    // The wait that the receiver requested is over, but the message's own retry is later.
    rig.clock.advance(6 * 60_000);
    const answer = await retry(id);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ object: 'message', id, status: 'sent' });
    expect(rig.traffic.calls).toEqual([['notify', [queueId]]]);
    expect((await rig.ask('GET', '/v1/queue')).json).toMatchObject({ depth: 1, due: 1 });
    const { json } = await rig.ask('GET', `/v1/messages/${id}/explain`);
    expect(json.code).toBe('waiting_turn');
    expect(JSON.stringify(json.chain)).toContain('Retry requested');
    expect((await retry(id)).status).toBe(200);
  });

  it('retries a held message', async () => {
    const queue = { hold_reason: 'signing: no key', due_at: rig.clock.now() + HOUR };
    expect((await retry((await enqueue({ queue })).id)).status).toBe(200);
  });

  it('does not change scheduled, in-flight or finished messages', async () => {
    const now = rig.clock.now();
    const scheduled = await enqueue({ queue: { due_at: now + HOUR } });
    const leased = await enqueue({ queue: { attempts: 1, lease_until: now + HOUR, lease_owner: 'w' } });
    const finished = await enqueue({ row: { status: 'delivered' } });
    await rig.commit(dequeueMessage({ messageId: finished.rowId }));
    for (const { id } of [scheduled, leased, finished]) {
      const refused = await retry(id);
      expect([refused.status, refused.json.error.code]).toEqual([409, 'conflict']);
    }
    expect((await retry(scheduled.id, await rig.addKey(live, 'send'))).status).toBe(403);
  });
});

describe('the API description', () => {
  it('has every queue operation, and says that a pause needs no body', async () => {
    const { json } = await rig.ask('GET', '/openapi.json');
    const { requestBody } = json.paths['/v1/queue/destinations/{domain}/pause'].post;
    expect(requestBody.required).toBe(false);
    expect(JSON.stringify(json)).not.toContain('x-optional');
    const ids = Object.values(json.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      (methods) => Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids).toEqual(
      expect.arrayContaining([
        'queue.get',
        'queue.listDestinations',
        'queue.retryDestination',
        'queue.pauseDestination',
        'queue.resumeDestination',
        'queue.listOverrides',
        'queue.deleteOverride',
        'messages.listAttempts',
        'messages.explain',
        'messages.retry',
      ]),
    );
  });
});
