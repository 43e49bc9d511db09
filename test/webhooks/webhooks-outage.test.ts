// Tests a receiver that is down for a day while messages are sent: everything arrives once, in order per message.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Replays } from '../../src/webhooks/deliveries/replays.js';
import type { Webhooks } from '../../src/webhooks/webhooks.js';
import { createDice } from '../support/dice.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { startHttpReceiver, type HttpReceiver } from '../support/http-receiver.js';
import { waitFor } from '../support/wait.js';
import { noRecords, startWebhooks, type WebhooksProgram } from '../support/webhooks.js';
import { webhookEndpoints } from '../../src/webhooks/webhooks.tables.js';
import { update } from '../../src/database/rows.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SCHEDULE_MS = [10_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
const EVENTS = ['sent', 'delivered', 'opened'] as const;
let clock: FixedClock;
let receiver: HttpReceiver;
let rig: WebhooksProgram;
let room: Webhooks;

beforeEach(async () => {
  clock = fixedClock();
  receiver = await startHttpReceiver();
  rig = await startWebhooks({
    clock: clock.now,
    settings: { webhookScheduleMs: SCHEDULE_MS },
  });
  room = rig.room();
  room.start();
});

afterEach(async () => {
  await rig.close();
  await receiver.close();
});

/** Until nothing can be attempted now, and nothing is being. */
async function settle(id: string): Promise<void> {
  room.deliveryWakeUp.notify();
  await waitFor('nothing is due', async () => {
    const endpoint = await rig.store.webhooks.endpoint(rig.live, id);
    const pending = await rig.raw(
      "SELECT due_at, lease_until FROM webhook_deliveries WHERE endpoint_id = ? AND status = 'pending'",
      [id],
    );
    const isLeased = pending.some(({ lease_until: until }) => until !== null);
    const isDue =
      endpoint?.status === 'enabled' && pending.some(({ due_at: at }) => Number(at) <= clock.now());
    const isBehind = (await rig.store.webhooks.lagging()).length > 0;
    return !isLeased && !isDue && !isBehind;
  });
}

/** Moves the clock from retry to retry, by no less than a minute. */
async function pass(id: string, until: number): Promise<void> {
  while (clock.now() < until) {
    const { nextDueAt } = await rig.store.webhooks.dueEndpoints(clock.now());
    const next = Math.max(Math.min(nextDueAt ?? until, until), clock.now() + MINUTE);
    clock.advance(Math.min(next, until) - clock.now());
    await settle(id);
  }
}

function seen(): string[] {
  return receiver.requests.map(({ rawBody }) => {
    const { event, data } = JSON.parse(String(rawBody)) as { event: string; data: { id: string } };
    return `${data.id} ${event.slice('message.'.length)}`;
  });
}

it('gets everything once when it recovers, and failed deliveries by a replay', async () => {
  const { id } = await rig.addEndpoint(receiver.url);
  const began = clock.now();
  const isDown = { status: 503 };
  receiver.setDefault(isDown);
  const dice = createDice(7);
  const expected: string[] = [];
  for (let i = 0; i < 24; i += 1) {
    // Some events of a message occur together, some hours later.
    for (const event of EVENTS) {
      await rig.happen(`msg_${i}`, [event]);
      expected.push(`msg_${i} ${event}`);
      if (dice.chance(0.3)) clock.advance(MINUTE);
    }
    await settle(id);
    await pass(id, began + ((i + 1) * 24 * HOUR) / 24);
  }
  // Retries are spread by a fifth in both directions; the first dozen deliveries have ended by then in any case.
  await pass(id, began + 30 * HOUR);
  const endpoint = await rig.store.webhooks.endpoint(rig.live, id);
  expect(endpoint?.status).toBe('disabled');
  const down = receiver.requests.length;
  receiver.setDefault({});
  // As a PATCH that enables it does.
  await rig.store.webhooks.hastenDeliveries(id, clock.now(), 1_000);
  const set = { status: 'enabled' as const, disabled_reason: null, consecutive_failures: 0 };
  await rig.store.commit([update(webhookEndpoints, { set, where: { id } })]);
  const enabled = await rig.store.webhooks.endpoint(rig.live, id);
  if (!enabled) throw new Error('no endpoint');
  const replays = new Replays({
    store: rig.store,
    readRecords: noRecords,
    formats: {},
    clock: clock.now,
    notifyDeliveries: () => room.deliveryWakeUp.notify(),
  });
  await replays.begin(rig.live, enabled, { since: began, until: null, status: 'failed' });
  await settle(id);
  const arrived = seen().slice(down);
  expect([...arrived].sort()).toEqual([...expected].sort());
  const rows = await rig.allDeliveries(id);
  const failed = rows
    .filter(({ status }) => status === 'failed')
    .map((row) => `${row.subject_id} ${row.event}`);
  expect(failed.length).toBeGreaterThanOrEqual(10);
  // Events of a message with a permanent failure are sent again out of order; all others stay in order.
  const whole = Array.from({ length: 24 }, (_, i) => `msg_${i}`).filter(
    (subject) => !failed.some((one) => one.startsWith(`${subject} `)),
  );
  expect(whole.length).toBeGreaterThan(12);
  for (const subject of whole) {
    expect(arrived.filter((one) => one.startsWith(`${subject} `))).toEqual(
      EVENTS.map((event) => `${subject} ${event}`),
    );
  }
}, 120_000);
