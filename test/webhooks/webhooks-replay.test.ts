// Tests replays of a time range: what is sent again, in which order, and the result of an interrupted one.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/contract/refusal.js';
import type { TrailEvent } from '../../src/contract/names.js';
import type { Scope } from '../../src/database/scope.js';
import { Replays, type WantedReplay } from '../../src/webhooks/deliveries/replays.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { startHttpReceiver, type HttpReceiver } from '../support/http-receiver.js';
import { sized } from '../support/run-size.js';
import { waitFor } from '../support/wait.js';
import { noRecords, startWebhooks, type EndpointWish, type WebhooksProgram } from '../support/webhooks.js';
import { webhookEndpoints } from '../../src/webhooks/webhooks.tables.js';
import { update } from '../../src/database/rows.js';

const MINUTE = 60_000;
let clock: FixedClock;
let receiver: HttpReceiver;
let rig: WebhooksProgram;
let replays: Replays;

beforeEach(async () => {
  clock = fixedClock();
  receiver = await startHttpReceiver();
  rig = await startWebhooks({ clock: clock.now });
  replays = new Replays({
    store: rig.store,
    readRecords: noRecords,
    formats: {},
    clock: clock.now,
    notifyDeliveries: () => undefined,
  });
});

afterEach(async () => {
  await rig.close();
  await receiver.close();
});

const ALL: WantedReplay = { since: 0, until: null, status: null };
const names = (): string[] =>
  receiver.requests.map(({ rawBody }) => {
    const { event, data } = JSON.parse(String(rawBody)) as { event: string; data: { id: string } };
    return `${data.id} ${event.replace(/^\w+\./, '')}`;
  });

async function endpointOf(url: string, wanted: EndpointWish = {}) {
  const { id } = await rig.addEndpoint(url, wanted);
  return reread(id);
}

async function reread(id: string) {
  const endpoint = await rig.store.webhooks.endpoint(rig.live, id);
  if (!endpoint) throw new Error('no endpoint');
  return endpoint;
}

/** Events one minute apart. */
async function happened(subject: string, events: TrailEvent[], scope: Scope = rig.live): Promise<void> {
  for (const event of events) {
    await rig.happen(subject, [event], scope);
    clock.advance(MINUTE);
  }
}

async function passed(): Promise<void> {
  await waitFor('the cursor has passed', async () => (await rig.store.webhooks.lagging()).length === 0);
}

describe('a replay', () => {
  it('sends the events of a time range in order, as new deliveries with the same octets', async () => {
    const endpoint = await endpointOf(receiver.url);
    rig.room().start();
    await happened('msg_1', ['sent', 'delivered']);
    const since = clock.now();
    await happened('msg_2', ['sent', 'delivered', 'opened']);
    const until = clock.now() - MINUTE;
    await rig.settled(endpoint.id, 5);
    const before = [...receiver.requests];
    const replay = await replays.begin(rig.live, endpoint, { since, until, status: null });
    expect(replay).toMatchObject({ deliveries: 2, finished_at: clock.now() });
    await rig.settled(endpoint.id, 7);
    expect(names().slice(5)).toEqual(['msg_2 sent', 'msg_2 delivered']);
    expect(before.map(({ rawBody }) => String(rawBody))).toContain(String(receiver.requests[5]?.rawBody));
    const rows = await rig.deliveries(endpoint.id);
    expect(rows.slice(5).map((row) => row.replay_of)).toEqual(rows.slice(2, 4).map((row) => row.public_id));
    expect(receiver.requests.map(({ headers }) => headers['service-replay-of'])).toEqual([
      ...Array<undefined>(5).fill(undefined),
      ...rows.slice(2, 4).map((row) => row.public_id),
    ]);
    expect(rows[5]?.event_position).toBe(rows[2]?.event_position);
    expect(rows[5]?.public_id).not.toBe(rows[2]?.public_id);
  });

  it("sends only events of the endpoint's selection, sub-tenant and environment", async () => {
    await happened('tnt_a', ['tenant_warned', 'tenant_throttled']);
    await happened('tnt_b', ['tenant_warned']);
    await happened('tnt_a', ['tenant_warned'], rig.test);
    const wanted: EndpointWish = { subTenantId: 'tnt_a', events: ['tenant.warned'], createdAt: clock.now() };
    const endpoint = await endpointOf(receiver.url, wanted);
    rig.room().start();
    await passed();
    expect(await replays.begin(rig.live, endpoint, ALL)).toMatchObject({ deliveries: 1 });
    await rig.settled(endpoint.id, 1);
    expect(names()).toEqual(['tnt_a warned']);
  });

  it('of failed deliveries sends each event until it has succeeded once', async () => {
    await rig.close();
    rig = await startWebhooks({ clock: clock.now, settings: { webhookScheduleMs: [] } });
    replays = new Replays({
      store: rig.store,
      readRecords: noRecords,
      formats: {},
      clock: clock.now,
      notifyDeliveries: () => undefined,
    });
    const endpoint = await endpointOf(receiver.url);
    const room = rig.room();
    room.start();
    receiver.script({ status: 500 }, {}, { status: 500 }, { status: 500 });
    for (const subject of ['msg_1', 'msg_2', 'msg_3']) {
      await happened(subject, ['sent']);
      await rig.settled(endpoint.id, Number(subject.slice(-1)));
    }
    const wanted: WantedReplay = { ...ALL, status: 'failed' };
    expect(await replays.begin(rig.live, endpoint, wanted)).toMatchObject({ deliveries: 2 });
    room.deliveryWakeUp.notify();
    await rig.settled(endpoint.id, 5);
    // msg_1 failed again.
    clock.advance(2 * MINUTE);
    expect(await replays.begin(rig.live, endpoint, wanted)).toMatchObject({ deliveries: 1 });
    room.deliveryWakeUp.notify();
    await rig.settled(endpoint.id, 6);
    expect(names().slice(3)).toEqual(['msg_1 sent', 'msg_3 sent', 'msg_1 sent']);
    clock.advance(2 * MINUTE);
    expect(await replays.begin(rig.live, endpoint, wanted)).toMatchObject({ deliveries: 0 });
  });

  it('skips pending deliveries', async () => {
    const endpoint = await endpointOf(receiver.url);
    receiver.setDefault({ fault: 'silence' });
    rig.room().start();
    await happened('msg_1', ['sent']);
    await receiver.waitFor(1);
    expect(await replays.begin(rig.live, endpoint, ALL)).toMatchObject({ deliveries: 0 });
  });

  it('starts once for two simultaneous requests, and again after a minute', async () => {
    await happened('msg_1', ['sent', 'delivered']);
    const endpoint = await endpointOf(receiver.url, { createdAt: clock.now() });
    rig.room().start();
    await passed();
    const begun = await Promise.all([1, 2, 3].map(() => replays.begin(rig.live, endpoint, ALL)));
    expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
    await rig.settled(endpoint.id, 2);
    expect(await replays.begin(rig.live, endpoint, ALL)).toMatchObject({ id: begun[0]?.id, deliveries: 2 });
    clock.advance(MINUTE + 1);
    expect((await replays.begin(rig.live, endpoint, ALL)).id).not.toBe(begun[0]?.id);
    await rig.settled(endpoint.id, 4);
    expect(receiver.requests).toHaveLength(4);
  });

  it('is refused to a disabled endpoint', async () => {
    const endpoint = await endpointOf(receiver.url, { status: 'disabled' });
    await expect(replays.begin(rig.live, endpoint, ALL)).rejects.toMatchObject({ code: 'conflict' });
    await expect(replays.begin(rig.live, endpoint, ALL)).rejects.toThrow(Refusal);
  });
});

describe('a long replay', () => {
  /** A replay pauses at 1,000 waiting deliveries, and then continues in several parts. */
  const COUNT = sized({ small: 1_700, full: 5_300 });

  async function many(count: number): Promise<void> {
    for (let i = 0; i < count; i += 100) {
      await rig.happenToAll(
        Array.from({ length: 100 }, (_, j) => `msg_${i + j}`),
        'sent',
      );
    }
  }

  it('continues in the background after a kill, in order, with each event once and a short queue', async () => {
    await many(COUNT);
    const endpoint = await endpointOf(receiver.url, { createdAt: clock.now() + 1 });
    clock.advance(1);
    // No deliveries run, so it pauses when enough are waiting.
    const begun = await replays.begin(rig.live, endpoint, ALL);
    expect(begun).toMatchObject({ finished_at: null, deliveries: 1_000 });
    expect(await replays.run()).toBe(false);
    const other: WantedReplay = { ...ALL, since: 1 };
    await expect(replays.begin(rig.live, endpoint, other)).rejects.toMatchObject({ code: 'conflict' });
    await rig.store.webhooks.fanOut({ workspaceNumber: rig.live.workspaceNumber, from: 0, to: COUNT }, []);
    // Two rooms, one of which ends in the middle, as processes do.
    const first = rig.room();
    first.start();
    rig.room().start();
    await receiver.waitFor(1_200, 60_000);
    await first.stop();
    await receiver.waitFor(COUNT, 60_000);
    await waitFor('it is finished', async () => {
      const replay = await rig.store.webhooks.replay(begun.id);
      return replay?.finished_at !== null;
    });
    expect((await rig.store.webhooks.replay(begun.id))?.deliveries).toBe(COUNT);
    expect(new Set(names()).size).toBe(COUNT);
    expect(receiver.requests).toHaveLength(COUNT);
  }, 120_000);

  it('pauses while its endpoint is disabled, and is deleted with it', async () => {
    await many(1_300);
    const endpoint = await endpointOf(receiver.url, { createdAt: clock.now() + 1 });
    clock.advance(1);
    const { id } = await replays.begin(rig.live, endpoint, ALL);
    const set = { status: 'disabled' as const };
    await rig.store.commit([update(webhookEndpoints, { set, where: { id: endpoint.id } })]);
    expect(await rig.store.webhooks.openReplays()).toEqual([]);
    while (!(await rig.store.webhooks.deleteEndpoint(endpoint.id, 500)));
    expect(await rig.store.webhooks.replay(id)).toBeNull();
  }, 60_000);
});
