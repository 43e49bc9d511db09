// Tests replays, the delivery log with its filters, and the rotation of secrets through the API.
import { noRecords } from '../support/webhooks.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrailEvent } from '../../src/contract/names.js';
import { webhookDeliveryRoutes } from '../../src/webhooks/deliveries/deliveries.routes.js';
import { webhookEndpointRoutes } from '../../src/webhooks/endpoints.routes.js';
import { webhookReplayRoutes } from '../../src/webhooks/deliveries/replays.routes.js';
import { newDelivery } from '../../src/webhooks/deliveries/delivery-content.js';
import { openEndpointSecrets } from '../../src/webhooks/endpoint-secret.js';
import { Replays } from '../../src/webhooks/deliveries/replays.js';
import type { Scope } from '../../src/database/scope.js';
import { fixedClock } from '../support/fixed-clock.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { appendEvent } from '../../src/events/append.store.js';
import { webhookDeliveries } from '../../src/webhooks/webhooks.tables.js';
import { insert, update } from '../../src/database/rows.js';

const MASTER_KEY = Buffer.alloc(32, 5);
const ENDPOINTS = '/v1/webhook-endpoints';
const HOUR = 3_600_000;
const UNKNOWN = 'whe_00000000000000000000000000';
const clock = fixedClock();
let api: StartedApi;
let rings = 0;

beforeAll(async () => {
  const notifyDeliveries = (): void => {
    rings += 1;
  };
  api = await startApi({
    clock: clock.now,
    routes: (store) => {
      const context = {
        store,
        masterKey: MASTER_KEY,
        config: { webhookSecretOverlapMs: 24 * HOUR },
        formats: {},
        clock: clock.now,
        checkUrl: () => Promise.resolve(null),
        readRecords: noRecords,
        notifyDeliveries,
      };
      const replays = new Replays(context);
      return [
        (app) => webhookEndpointRoutes(app, context),
        (app) => webhookDeliveryRoutes(app, context),
        (app) => webhookReplayRoutes(app, context, replays),
      ];
    },
  });
});

afterAll(() => api.close());

async function make(body: object = {}, key?: string): Promise<{ id: string; secret: string }> {
  const request = { body: { url: 'https://hooks.test/in', ...body }, ...(key === undefined ? {} : { key }) };
  const answer = await api.ask('POST', ENDPOINTS, request);
  expect(answer.status).toBe(201);
  return answer.json as { id: string; secret: string };
}

async function disable(id: string): Promise<void> {
  await api.ask('PATCH', `${ENDPOINTS}/${id}`, { body: { status: 'disabled' } });
}

async function append(scope: Scope, subjectId: string, events: TrailEvent[]): Promise<void> {
  for (const event of events) {
    await api.store.commit([
      appendEvent({
        event: {
          environmentId: scope.environmentId,
          workspaceNumber: scope.workspaceNumber,
          messageId: null,
          subjectId,
          event,
          actor: 'worker',
          occurredAt: clock.now(),
        },
      }),
    ]);
    clock.advance(60_000);
  }
}

/** An ended delivery of a test event. */
async function ended(id: string, subjectId: string, status: 'succeeded' | 'failed') {
  const { environmentId } = await api.scopeOf('live');
  const row = newDelivery({
    endpointId: id,
    environmentId,
    position: null,
    event: 'message.sent',
    subjectId,
    payload: `{"event":"message.sent","occurred_at":"2026-01-02T00:00:00.000Z","data":{"id":"${subjectId}"}}`,
    now: clock.now(),
  });
  await api.store.commit([insert(webhookDeliveries, { row: { ...row, status, due_at: null } })]);
  return row;
}

describe('rotating the secret', () => {
  it('shows the new secret once, and until when the old one signs as well', async () => {
    const { id, secret } = await make();
    const before = rings;
    const answer = await api.ask('POST', `${ENDPOINTS}/${id}/rotate-secret`);
    expect(answer.status).toBe(200);
    const { secret: next, ...shown } = answer.json;
    expect(next).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(next).not.toBe(secret);
    expect(shown.previous_secret_until).toBe(new Date(clock.now() + 24 * HOUR).toISOString());
    expect((await api.ask('GET', `${ENDPOINTS}/${id}`)).json).toEqual(shown);
    expect(rings).toBe(before + 1);
    const row = await api.store.webhooks.endpoint(await api.scopeOf('live'), id);
    if (!row) throw new Error('no endpoint');
    const { current, previous } = openEndpointSecrets(MASTER_KEY, row);
    expect([current, previous?.secret]).toEqual([next, secret]);
    expect(JSON.stringify(row)).not.toContain(String(next));
    clock.advance(24 * HOUR);
    expect((await api.ask('GET', `${ENDPOINTS}/${id}`)).json.previous_secret_until).toBeNull();
  });

  it('twice at the same time returns no secret that never signs', async () => {
    const { id } = await make();
    const answers = await Promise.all(
      [1, 2, 3].map(() => api.ask('POST', `${ENDPOINTS}/${id}/rotate-secret`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const row = await api.store.webhooks.endpoint(await api.scopeOf('live'), id);
    if (!row) throw new Error('no endpoint');
    const given = answers.find(({ status }) => status === 200)?.json.secret as string;
    expect(openEndpointSecrets(MASTER_KEY, row).current).toBe(given);
  });
});

describe('a replay of one delivery', () => {
  it('is a new delivery of the same event with the same octets', async () => {
    const { id } = await make();
    const row = await ended(id, 'msg_1', 'failed');
    const url = `${ENDPOINTS}/${id}/deliveries/${row.public_id}/replay`;
    const { status, json } = await api.ask('POST', url);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'webhook_delivery',
      status: 'pending',
      replay_of: row.public_id,
      request_body: row.payload,
      attempts: [],
    });
    expect(json.id).not.toBe(row.public_id);
    // While it is on its way, the same wish is the same delivery.
    expect((await api.ask('POST', url)).json.id).toBe(json.id);
    expect((await api.ask('GET', `${ENDPOINTS}/${id}/deliveries`)).json.data).toHaveLength(2);
  });

  it('is refused for a disabled endpoint, and for an unknown delivery', async () => {
    const { id } = await make();
    const other = await make();
    const row = await ended(id, 'msg_1', 'failed');
    const of = (endpoint: string, delivery: string, key?: string) =>
      api.ask(
        'POST',
        `${ENDPOINTS}/${endpoint}/deliveries/${delivery}/replay`,
        key === undefined ? {} : { key },
      );
    expect((await of(other.id, row.public_id)).status).toBe(404);
    expect((await of(UNKNOWN, row.public_id)).status).toBe(404);
    expect((await of(id, 'whd_x')).status).toBe(404);
    // The log of the other environment.
    expect((await of(id, row.public_id, api.testKey)).status).toBe(404);
    await disable(id);
    expect(await of(id, row.public_id)).toMatchObject({ status: 409, json: { error: { code: 'conflict' } } });
  });
});

describe('a replay of a time range', () => {
  it('returns the number, and is listed', async () => {
    const scope = await api.scopeOf('live');
    const since = new Date(clock.now()).toISOString();
    await append(scope, 'tnt_1', ['tenant_warned', 'tenant_throttled', 'tenant_recovered']);
    const until = new Date(clock.now() - 60_000).toISOString();
    const { id } = await make({ events: ['tenant.warned', 'tenant.recovered'] });
    const url = `${ENDPOINTS}/${id}/replay`;
    const { status, json } = await api.ask('POST', url, { body: { since, until } });
    expect(status).toBe(200);
    expect(json).toEqual({
      id: expect.stringMatching(/^whr_[0-9a-z]{26}$/) as unknown,
      object: 'webhook_replay',
      endpoint_id: id,
      since,
      until,
      status: null,
      state: 'finished',
      deliveries: 1,
      created_at: new Date(clock.now()).toISOString(),
      finished_at: new Date(clock.now()).toISOString(),
    });
    expect((await api.ask('GET', `${ENDPOINTS}/${id}/replays`)).json.data).toEqual([json]);
    expect((await api.ask('GET', `${ENDPOINTS}/${id}/replays`, { key: api.testKey })).status).toBe(404);
    const log = (await api.ask('GET', `${ENDPOINTS}/${id}/deliveries`)).json.data;
    expect(log).toMatchObject([{ event: 'tenant.warned', replay_of: null, status: 'pending' }]);
    expect(log[0].event_id).toMatch(/^evt_/);
  });

  it.each([
    [{}, 422],
    [{ since: 'yesterday' }, 422],
    [{ since: '2026-01-02', until: '2026-01-02' }, 422],
    [{ since: '2026-01-02', until: '2026-01-01T00:00:00Z' }, 422],
    [{ since: '2026-01-02', status: 'pending' }, 422],
    [{ since: '2026-01-02', limit: 3 }, 422],
    [{ since: '2026-01-02', until: null, status: null }, 200],
  ])('with %j returns %i', async (body, status) => {
    const { id } = await make();
    expect((await api.ask('POST', `${ENDPOINTS}/${id}/replay`, { body })).status).toBe(status);
  });

  it('is refused for a disabled endpoint, and for one out of reach', async () => {
    const body = { since: '2026-01-02' };
    const tenant = await api.addTenant('acme');
    const key = await api.addKey({ subTenantId: tenant });
    const own = await make({}, key);
    const general = await make();
    const ask = (id: string, withKey?: string) =>
      api.ask('POST', `${ENDPOINTS}/${id}/replay`, {
        body,
        ...(withKey === undefined ? {} : { key: withKey }),
      });
    expect((await ask(own.id, key)).status).toBe(200);
    const foreign = await ask(general.id, key);
    const unknown = await ask(UNKNOWN, key);
    expect(foreign.status).toBe(404);
    expect({ ...foreign.json.error, request_id: '' }).toEqual({ ...unknown.json.error, request_id: '' });
    await disable(general.id);
    expect((await ask(general.id)).status).toBe(409);
  });
});

describe('the log', () => {
  it('can be filtered by message, time and status together', async () => {
    const { id } = await make();
    const rows: Awaited<ReturnType<typeof ended>>[] = [];
    for (const [subject, status] of [
      ['msg_a', 'failed'],
      ['msg_b', 'succeeded'],
      ['msg_a', 'succeeded'],
    ] as const) {
      rows.push(await ended(id, subject, status));
      clock.advance(HOUR);
    }
    const ids = rows.map(({ public_id }) => public_id);
    const log = async (query: string) => {
      const { json } = await api.ask('GET', `${ENDPOINTS}/${id}/deliveries?${query}`);
      return json.data.map((one: { id: string }) => ids.indexOf(one.id)) as number[];
    };
    const at = (i: number) => new Date(rows[i]?.created_at ?? 0).toISOString();
    expect(await log('')).toEqual([2, 1, 0]);
    expect(await log('message_id=msg_a')).toEqual([2, 0]);
    expect(await log('message_id=msg_a&status=failed')).toEqual([0]);
    expect(await log(`since=${at(1)}`)).toEqual([2, 1]);
    expect(await log(`until=${at(1)}`)).toEqual([0]);
    expect(await log(`since=${at(1)}&until=${at(2)}`)).toEqual([1]);
    expect(await log(`since=${new Date(clock.now()).toISOString()}`)).toEqual([]);
    expect((await api.ask('GET', `${ENDPOINTS}/${id}/deliveries?since=x`)).status).toBe(422);
  });

  it('shows pending deliveries with a later retry as due when their endpoint is enabled', async () => {
    const { id } = await make();
    const row = await ended(id, 'msg_a', 'failed');
    const set = { status: 'pending' as const, due_at: clock.now() + 12 * HOUR, attempts: 3 };
    const where = { public_id: row.public_id };
    await api.store.commit([update(webhookDeliveries, { set, where })]);
    await disable(id);
    await api.ask('PATCH', `${ENDPOINTS}/${id}`, { body: { status: 'enabled' } });
    const { json } = await api.ask('GET', `${ENDPOINTS}/${id}/deliveries`);
    expect(json.data[0].next_attempt_at).toBe(new Date(clock.now()).toISOString());
  });
});
