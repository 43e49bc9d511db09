// Tests a secret that is replaced during deliveries: two signatures for a while, then one.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifyWebhook } from '../../src/webhooks/signature.rules.js';
import { newEndpointSecret, rotatedColumns } from '../../src/webhooks/endpoint-secret.js';
import { forgettingOf } from '../support/forgetting.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '../support/http-receiver.js';
import { MASTER_KEY } from '../support/program.js';
import { startWebhooks, type WebhooksProgram } from '../support/webhooks.js';
import { webhookEndpoints } from '../../src/webhooks/webhooks.tables.js';
import { update } from '../../src/database/rows.js';

const HOUR = 3_600_000;
let clock: FixedClock;
let receiver: HttpReceiver;
let rig: WebhooksProgram;

beforeEach(async () => {
  clock = fixedClock();
  receiver = await startHttpReceiver();
  rig = await startWebhooks({ clock: clock.now });
});

afterEach(async () => {
  await rig.close();
  await receiver.close();
});

async function rotate(id: string): Promise<string> {
  const before = await rig.store.webhooks.endpoint(rig.live, id);
  if (!before) throw new Error('no endpoint');
  const { secret, sealed } = newEndpointSecret(MASTER_KEY, id);
  const set = rotatedColumns(sealed, before, { now: clock.now(), overlapMs: 24 * HOUR });
  await rig.store.commit([update(webhookEndpoints, { set, where: { id } })]);
  return secret;
}

const signatures = (request: ReceivedRequest | undefined): number =>
  String(request?.headers['service-signature']).split('v1=').length - 1;

function fits(request: ReceivedRequest | undefined, secret: string): boolean {
  return verifyWebhook({
    secret,
    header: String(request?.headers['service-signature']),
    rawBody: request?.rawBody ?? '',
    now: clock.now() / 1000,
  });
}

it('signs with both during the overlap, and only with the new one afterwards', async () => {
  const { id, secret: first } = await rig.addEndpoint(receiver.url);
  rig.room().start();
  const second = await rotate(id);
  await rig.happen('msg_1', ['sent']);
  const [during] = await receiver.waitFor(1);
  expect(signatures(during)).toBe(2);
  expect([fits(during, first), fits(during, second)]).toEqual([true, true]);
  clock.advance(24 * HOUR);
  await rig.happen('msg_2', ['sent']);
  const after = (await receiver.waitFor(2))[1];
  expect(signatures(after)).toBe(1);
  expect([fits(after, first), fits(after, second)]).toEqual([false, true]);
  await forgettingOf(rig.store, 'old webhook deliveries', { clock: clock.now })();
  const row = await rig.store.webhooks.endpoint(rig.live, id);
  expect(row).toMatchObject({ previous_secret_sealed: null, previous_secret_until: null });
});

it('ends the oldest of three at the same time', async () => {
  const { id, secret: first } = await rig.addEndpoint(receiver.url);
  rig.room().start();
  const second = await rotate(id);
  const third = await rotate(id);
  await rig.happen('msg_1', ['sent']);
  const [request] = await receiver.waitFor(1);
  expect([first, second, third].map((secret) => fits(request, secret))).toEqual([false, true, true]);
});

it('ends the old one immediately without an overlap', () => {
  const before = { secret_sealed: 'a', previous_secret_sealed: 'b', previous_secret_until: 9 };
  expect(rotatedColumns('c', before, { now: 1, overlapMs: 0 })).toEqual({
    secret_sealed: 'c',
    previous_secret_sealed: null,
    previous_secret_until: null,
  });
});
