// Tests the event stream: what it sends, to whom, from which position, and when it ends.
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TrailEvent } from '../../src/contract/names.js';
import { EventStreams } from '../../src/feed/event-streams.js';
import { createSessionRecheck } from '../../src/accounts/access/session-recheck.js';
import { createApiServer, type ApiServerDeps } from '../../src/app/http-server.js';
import { eventRoutes } from '../../src/feed/events.routes.js';
import { eventStreamRoutes } from '../../src/feed/stream.routes.js';
import { SESSION_COOKIE } from '../../src/accounts/access/session-auth.js';
import type { Api } from '../../src/http/api.js';
import { createLog } from '../../src/lib/runtime/index.js';
import type { FeedEvent } from '../../src/feed/feed.store.js';
import type { Page, Scope } from '../../src/database/scope.js';
import { planPerson } from '../../src/accounts/people/person.js';
import { planSession } from '../../src/accounts/sign-in/sessions.js';
import { newMessage } from '../database/contract/builders.js';
import { createDice } from '../support/dice.js';
import { openEventSource, type EventSourceClient } from '../support/event-source.js';
import { sized } from '../support/run-size.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { waitFor } from '../support/wait.js';
import type { Change } from '../../src/database/change.js';
import { appendEvent } from '../../src/events/append.store.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { sessions } from '../../src/accounts/sign-in/sign-in.tables.js';
import { remove } from '../../src/database/rows.js';
import { members } from '../../src/accounts/people/people.tables.js';

/** How long a person stays signed in without a request. */
const IDLE_MS = 3_600_000;
const SETTINGS = { eventStreams: 32, eventStreamHeartbeatMs: 300 };
let api: StartedApi;
let deps: ApiServerDeps;
let streams: EventStreams;
let port: number;
let now = Date.now;
/** Events that the streams have read from the store. */
let rowsRead = 0;
const sockets = new Set<Socket>();
const clients = new Set<EventSourceClient>();

/** The routes on a separate server, as a process has them. */
function routesFor(given: ApiServerDeps): ApiServerDeps {
  const { store, credentials } = given;
  const clock = (): number => now();
  const log = createLog('silent');
  streams = new EventStreams({ store, log, config: SETTINGS });
  const recheck = createSessionRecheck({ store, credentials, settings: { sessionIdleMs: IDLE_MS }, clock });
  const made = streams;
  return {
    ...given,
    routes: [
      (app) => eventRoutes(app, { store }),
      (app) => eventStreamRoutes(app, { store: counting(store), clock, log }, { streams: made, recheck }),
    ],
  };
}

function counting({ feed, readings }: ApiServerDeps['store']) {
  const after: typeof feed.after = async (scope, from) => {
    const piece = await feed.after(scope, from);
    rowsRead += piece.rows.length;
    return piece;
  };
  return { feed: { ...feed, after }, readings };
}

async function listen(app: Api): Promise<void> {
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  port = typeof address === 'object' && address ? address.port : 0;
}

beforeEach(async () => {
  now = Date.now;
  api = await startApi({ deps: (given) => (deps = routesFor(given)) });
  await listen(api.app);
});

afterEach(async () => {
  for (const client of clients) client.kill();
  clients.clear();
  await api.close();
});

async function follow(
  options: Partial<Parameters<typeof openEventSource>[1]> = {},
): Promise<EventSourceClient> {
  const client = await openEventSource(port, { key: api.liveKey, ...options });
  clients.add(client);
  return client;
}

async function commit(...plan: Change[]): Promise<void> {
  await api.store.commit(plan);
}

async function append(scope: Scope, subjectId: string, events: TrailEvent[]): Promise<void> {
  await api.store.commit(
    events.map((event) =>
      appendEvent({
        event: {
          environmentId: scope.environmentId,
          workspaceNumber: scope.workspaceNumber,
          messageId: null,
          subjectId,
          event,
          actor: 'system',
          occurredAt: Date.now(),
        },
      }),
    ),
  );
  streams.notify();
}

const namesOf = (client: EventSourceClient): string[] =>
  client.events.map(({ data }) => `${String(data.data.id)} ${String(data.event)}`);

describe('the event stream', () => {
  it('sends events as in the feed, with their id and name', async () => {
    const scope = await api.scopeOf('live');
    await append(scope, 'msg_before', ['sent']);
    const client = await follow();
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    });
    expect(client.headers['x-request-id']).toBeDefined();
    const message = newMessage(scope, { tags: ['a\u2028b'], row: { metadata: '{"line":"1\\n2"}' } });
    await api.store.commit([acceptMessage({ message })]);
    await append(scope, 'tnt_1', ['tenant_warned']);
    const events = await client.waitFor(2);
    const { json } = await api.ask('GET', '/v1/events?order=asc');
    expect(events.map(({ data }) => data as unknown)).toEqual(json.data.slice(1));
    expect(events.map(({ id, event }) => [id, event])).toEqual(
      json.data.slice(1).map((one: { id: string; event: string }) => [one.id, one.event]),
    );
    expect(client.retryMs).toBe(2_000);
  });

  it('continues after the last id of an event or of the start, given in any way', async () => {
    const scope = await api.scopeOf('live');
    await append(scope, 'msg_before', ['sent']);
    const first = await follow();
    await waitFor('it has begun', () => first.lastEventId !== '');
    const begun = first.lastEventId;
    first.kill();
    await append(scope, 'msg_1', ['sent', 'delivered']);
    const second = await follow({ lastEventId: begun });
    expect((await second.waitFor(2)).length).toBe(2);
    expect(namesOf(second)).toEqual(['msg_1 message.sent', 'msg_1 message.delivered']);
    const [sent] = second.events;
    const third = await follow({ query: `?after=${String(sent?.id)}` });
    await third.waitFor(1);
    expect(namesOf(third)).toEqual(['msg_1 message.delivered']);
    // The header is newer than the query, because a browser repeats the URL.
    const fourth = await follow({ query: `?after=${begun}`, lastEventId: String(second.events[1]?.id) });
    await append(scope, 'msg_2', ['sent']);
    await fourth.waitFor(1);
    expect(namesOf(fourth)).toEqual(['msg_2 message.sent']);
  });

  it("sends only selected events of the key's environment and sub-tenant", async () => {
    const live = await api.scopeOf('live');
    const test = await api.scopeOf('test');
    const tenant = await api.addTenant('acme');
    const pinned = await follow({ key: await api.addKey({ subTenantId: tenant }) });
    const narrowed = await follow({ headers: { 'x-sub-tenant-id': tenant }, query: '?events=tenant.warned' });
    const sandbox = await follow({ key: api.testKey });
    const some = await follow({ query: '?events=message.delivered,tenant.warned' });
    await append(test, 'msg_test', ['sent']);
    await append(live, 'msg_live', ['sent', 'delivered']);
    await append(live, tenant, ['tenant_throttled', 'tenant_warned']);
    await append(live, 'tnt_other', ['tenant_warned']);
    await Promise.all([pinned.waitFor(2), narrowed.waitFor(1), sandbox.waitFor(1), some.waitFor(3)]);
    expect(namesOf(pinned)).toEqual([`${tenant} tenant.throttled`, `${tenant} tenant.warned`]);
    expect(namesOf(narrowed)).toEqual([`${tenant} tenant.warned`]);
    expect(namesOf(sandbox)).toEqual(['msg_test message.sent']);
    expect(sandbox.events[0]?.data.sandbox).toBe(true);
    expect(namesOf(some)).toEqual([
      'msg_live message.delivered',
      `${tenant} tenant.warned`,
      'tnt_other tenant.warned',
    ]);
  });

  it('sends heartbeats with its position if there are no events', async () => {
    const client = await follow({ query: '?events=tenant.warned' });
    await waitFor('it has begun', () => client.lastEventId !== '');
    const begun = client.lastEventId;
    await append(await api.scopeOf('live'), 'msg_1', ['sent', 'delivered']);
    await waitFor('there were heartbeats', () => client.comments.length >= 2);
    await waitFor('the place moved', () => client.lastEventId > begun);
    expect(client.events).toEqual([]);
  });

  it('sends events that another process wrote', async () => {
    const client = await follow();
    const { environmentId, workspaceNumber } = await api.scopeOf('live');
    const event = {
      environmentId,
      workspaceNumber,
      messageId: null,
      subjectId: 'tnt_1',
      event: 'tenant_paused' as const,
      actor: 'worker' as const,
      occurredAt: 1,
    };
    await api.store.commit([appendEvent({ event })]);
    await client.waitFor(1);
  });

  it.each([
    ['?after=evt_1', {}, 400, 'invalid_cursor'],
    ['', { lastEventId: 'nonsense' }, 400, 'invalid_cursor'],
    ['?events=message.read', {}, 422, 'validation_error'],
    ['?limit=3', {}, 422, 'validation_error'],
    ['', { key: 'svc_live_nothing' }, 401, 'unauthorized'],
  ])('refuses %s %j like other requests', async (query, options, status, code) => {
    const client = await follow({ query, ...options });
    await client.ended();
    expect(client.status).toBe(status);
    expect(JSON.parse(client.body())).toMatchObject({ error: { code } });
  });
});

describe('a stream ends', () => {
  it('when its key is revoked', async () => {
    const key = await api.addKey({});
    const client = await follow({ key });
    const list = await api.ask('GET', '/v1/api-keys');
    const id = String(list.json.data[0].id);
    expect((await api.ask('DELETE', `/v1/api-keys/${id}`)).status).toBe(200);
    expect(await client.ended()).toBe('clean');
    await append(await api.scopeOf('live'), 'msg_1', ['sent']);
    expect(client.events).toEqual([]);
  });

  it('when its key expires', async () => {
    const client = await follow({ key: await api.addKey({ expiresAt: Date.now() + 60_000 }) });
    now = () => Date.now() + 61_000;
    expect(await client.ended()).toBe('clean');
  });

  it.each<[string, (sessionId: string) => Promise<void>]>([
    ['has signed out', (id) => commit(remove(sessions, { where: { id } }))],
    ['has asked for nothing else for long', () => Promise.resolve(void (now = () => Date.now() + IDLE_MS))],
    [
      'is no member any more',
      () => commit(remove(members, { where: { organization_id: api.organizationId } })),
    ],
  ])('when its person %s', async (_, end) => {
    const person = { email: 'a@x.example', name: null, passwordHash: '', role: 'viewer' as const };
    const at = Date.now();
    const { userId, plan } = planPerson({ ...person, organizationId: api.organizationId }, at);
    const made = planSession(userId, [], {
      visitor: { ip: '127.0.0.1', userAgent: null, requestId: null, browserToken: null },
      settings: { sessionLifetimeMs: 24 * IDLE_MS, sessionIdleMs: IDLE_MS },
      now: at,
    });
    await commit(...plan, ...made.plan);
    const headers = { cookie: `${SESSION_COOKIE}=${made.token}` };
    const client = await follow({ key: '', headers });
    expect(client.status).toBe(200);
    await end(made.session.id);
    expect(await client.ended()).toBe('clean');
  });

  it('when one workspace has more than a quarter of all streams', async () => {
    const places = await Promise.all(Array.from({ length: 8 }, () => follow()));
    const more = await follow();
    await more.ended();
    expect(more.status).toBe(429);
    expect(more.headers['retry-after']).toBe('10');
    places[0]?.kill();
    await waitFor('the place is free', async () => (await follow()).status === 200);
  });

  it("when one sub-tenant has more than a quarter of its workspace's, without affecting others", async () => {
    const key = await api.addKey({ subTenantId: await api.addTenant('acme') });
    const other = await api.addKey({ subTenantId: await api.addTenant('other') });
    const places = [await follow({ key }), await follow({ key })];
    expect((await follow({ key })).status).toBe(429);
    expect((await follow({ key: other })).status).toBe(200);
    places[0]?.kill();
    await waitFor('the place is free', async () => (await follow({ key })).status === 200);
  });

  it('orderly when the server stops, and the next one continues', async () => {
    const scope = await api.scopeOf('live');
    const client = await follow();
    await append(scope, 'msg_1', ['sent']);
    await client.waitFor(1);
    await api.app.close();
    expect(await client.ended()).toBe('clean');
    const next = await createApiServer(routesFor(deps));
    await listen(next);
    await append(scope, 'msg_2', ['sent']);
    const again = await follow({ lastEventId: client.lastEventId });
    await again.waitFor(1);
    expect(namesOf(again)).toEqual(['msg_2 message.sent']);
    await next.close();
  });
});

describe('a stream consumer', () => {
  const EVENTS: TrailEvent[] = ['sent', 'delivered', 'opened', 'clicked'];

  async function wholeFeed(): Promise<string[]> {
    const scope = await api.scopeOf('live');
    const all: string[] = [];
    for (let after: string | null = null; ;) {
      const page: Page<FeedEvent> = await api.store.feed.page(scope, { limit: 1_000, after, order: 'asc' });
      const { cursors } = api.app;
      const placeOf = (row: FeedEvent) => ({ occurredAt: row.occurred_at, position: row.position });
      all.push(...page.rows.map((row) => cursors.eventId(scope.workspaceNumber, placeOf(row))));
      if (page.next === null) return all;
      after = page.next;
    }
  }

  it('that was disconnected gets all missed events in order', async () => {
    const scope = await api.scopeOf('live');
    const other = await api.scopeOf('test');
    const client = await follow();
    await append(scope, 'msg_first', ['sent']);
    await client.waitFor(1);
    client.kill();
    const rounds = sized({ small: 8, full: 60 });
    for (let i = 0; i < rounds; i += 1) {
      await append(scope, `msg_${i}`, Array.from({ length: 50 }, () => EVENTS).flat());
      await append(other, `msg_other_${i}`, Array.from({ length: 50 }, () => EVENTS).flat());
    }
    const again = await follow({ lastEventId: client.lastEventId });
    await again.waitFor(200 * rounds, 60_000);
    expect([client.events[0]?.id, ...again.events.map(({ id }) => id)]).toEqual(await wholeFeed());
  }, 90_000);

  /** More bytes than sockets and kernel buffer for a client that does not read. */
  const COUNT = sized({ small: 250, full: 1_500 });
  const TEXT_CHARACTERS = sized({ small: 48_000, full: 16_000 });

  it('that does not read delays no one, and gets the rest later', async () => {
    const scope = await api.scopeOf('live');
    const stuck = await follow();
    await waitFor('it has begun', () => stuck.lastEventId !== '');
    stuck.pause();
    rowsRead = 0;
    const metadata = JSON.stringify({ text: 'x'.repeat(TEXT_CHARACTERS) });
    for (let i = 0; i < COUNT; i += 50) {
      const messages = Array.from({ length: 50 }, () => newMessage(scope, { row: { metadata } }));
      await Promise.all(messages.map((message) => api.store.commit([acceptMessage({ message })])));
    }
    streams.notify();
    const quick = await follow({ query: `?after=${stuck.lastEventId}` });
    await quick.waitFor(COUNT, 30_000);
    // Little was read for it without being accepted by its socket.
    await waitFor('the other one has been written to', () => rowsRead > COUNT);
    expect(rowsRead).toBeLessThan(2 * COUNT);
    // One chunk and one event, whose metadata it contains twice.
    const waiting = [...sockets].map((socket) => socket.writableLength);
    expect(Math.max(...waiting)).toBeLessThan(16_384 + 3 * TEXT_CHARACTERS);
    stuck.resume();
    await stuck.waitFor(COUNT, 30_000);
    expect(stuck.events.map(({ id }) => id)).toEqual(quick.events.map(({ id }) => id));
  }, 60_000);

  it('that replays lets other work run after each page, even with many at once', async () => {
    const scope = await api.scopeOf('live');
    const first = await follow();
    await waitFor('it has begun', () => first.lastEventId !== '');
    const count = sized({ small: 1_000, full: 20_000 });
    for (let i = 0; i < count; i += 200) {
      await append(
        scope,
        'msg_1',
        Array.from({ length: 200 }, () => 'opened'),
      );
    }
    await first.waitFor(count);
    const sealed = vi.spyOn(api.app.cursors, 'eventId');
    let mostInARound = 0;
    let isOver = false;
    const round = (): void => {
      mostInARound = Math.max(mostInARound, sealed.mock.calls.length);
      sealed.mockClear();
      if (!isOver) setImmediate(round);
    };
    setImmediate(round);
    const query = `?after=${String(first.events[0]?.id)}`;
    const replays = await Promise.all(Array.from({ length: 7 }, () => follow({ query })));
    for (const replay of replays) await replay.waitFor(count - 1, 60_000);
    isOver = true;
    expect(mostInARound).toBeGreaterThan(1);
    // One page, plus one call for each stream that opens.
    expect(mostInARound).toBeLessThanOrEqual(50 + replays.length);
  }, 90_000);

  it('gets each event once, in order, however often it or the server is killed', async () => {
    const scope = await api.scopeOf('live');
    const dice = createDice(11);
    let app: Api = api.app;
    let client = await follow();
    await waitFor('it has begun', () => client.lastEventId !== '');
    const got: string[] = [];
    for (let round = 0; round < sized({ small: 10, full: 25 }); round += 1) {
      const writing = append(
        scope,
        `msg_${round}`,
        Array.from({ length: 1 + dice.below(200) }, () => 'opened'),
      );
      if (dice.chance(0.5)) await writing;
      const wanted = dice.below(120);
      await waitFor('some have come', () => client.events.length >= wanted, Boolean, 300).catch(
        () => undefined,
      );
      const isServer = dice.chance(0.3);
      if (isServer) {
        for (const socket of sockets) socket.destroy();
        await app.close();
        app = await createApiServer(routesFor(deps));
        await listen(app);
      } else client.kill();
      await client.ended();
      await writing;
      got.push(...client.events.map(({ id }) => id));
      client = await follow({ lastEventId: client.lastEventId });
    }
    const all = await wholeFeed();
    await client.waitFor(all.length - got.length);
    got.push(...client.events.map(({ id }) => id));
    expect(got).toEqual(all);
    if (app !== api.app) await app.close();
  }, 120_000);
});
