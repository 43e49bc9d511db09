// Tests the requests that an endpoint receives: format, signature, order, retries.
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '../support/http-receiver.js';
import { sharedRoom } from '../support/shared-room.js';
import { waitFor } from '../support/wait.js';
import { startWebhooks, type WebhooksProgram } from '../support/webhooks.js';

let receiver: HttpReceiver;
let rig: WebhooksProgram;

beforeEach(async () => {
  receiver = await startHttpReceiver();
  rig = await startWebhooks();
});

afterEach(async () => {
  await rig.close();
  await receiver.close();
});

const header = (request: ReceivedRequest | undefined, name: string): string => String(request?.headers[name]);
const bodyOf = (request: ReceivedRequest | undefined) =>
  JSON.parse(String(request?.rawBody)) as { event: string; occurred_at: string; data: { id: string } };

describe('a delivery on the wire', () => {
  it('is exactly the envelope, with event name and id in its headers', async () => {
    const { id } = await rig.addEndpoint(`${receiver.url}/hook?k=1`);
    rig.room().start();
    const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    await rig.happen('msg_1', ['queued', 'sending', 'delivered'], rig.live, at);
    const [request] = await receiver.waitFor(1);
    const time = '2026-01-02T03:04:05.678Z';
    expect(String(request?.rawBody)).toBe(
      JSON.stringify({
        event: 'message.delivered',
        occurred_at: time,
        data: { id: 'msg_1', event: 'message.delivered', occurred_at: time },
      }),
    );
    expect(request).toMatchObject({ method: 'POST', url: '/hook?k=1' });
    expect(header(request, 'content-type')).toBe('application/json');
    expect(header(request, 'service-event')).toBe('message.delivered');
    expect(header(request, 'service-attempt')).toBe('1');
    const [delivery] = await rig.settled(id, 1);
    expect(delivery).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      public_id: header(request, 'service-delivery'),
    });
    expect(receiver.requests).toHaveLength(1);
    const [attempt] = await rig.attempts(id);
    expect(attempt).toMatchObject({ number: 1, response_status: 200, response_body: 'ok', error: null });
  });

  it('is signed so that anyone with the secret can check it', async () => {
    const { secret } = await rig.addEndpoint(receiver.url);
    rig.room().start();
    await rig.happen('msg_1', ['sent']);
    const [request] = await receiver.waitFor(1);
    const [, time, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header(request, 'service-signature')) ?? [];
    const signed = Buffer.concat([Buffer.from(`${String(time)}.`), request?.rawBody ?? Buffer.alloc(0)]);
    expect(createHmac('sha256', secret).update(signed).digest('hex')).toBe(signature);
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('goes to the endpoints of its environment that selected the event', async () => {
    const other = await startHttpReceiver();
    await rig.addEndpoint(receiver.url);
    await rig.addEndpoint(other.url, { events: ['message.deferred', 'tenant.warned'], scope: rig.test });
    rig.room().start();
    await rig.happen('msg_live', ['sent', 'deferred']);
    await rig.happen('msg_test', ['sent', 'deferred'], rig.test);
    await rig.happen('tnt_1', ['tenant_warned']);
    await rig.happen('tnt_2', ['tenant_warned'], rig.test);
    const idsOf = (requests: readonly ReceivedRequest[]) => requests.map((one) => bodyOf(one).data.id).sort();
    expect(idsOf(await receiver.waitFor(2))).toEqual(['msg_live', 'tnt_1']);
    expect(idsOf(await other.waitFor(2))).toEqual(['msg_test', 'tnt_2']);
    await other.close();
  });

  it('about a sub-tenant goes to the endpoints of that sub-tenant and of the workspace', async () => {
    const other = await startHttpReceiver();
    await rig.addEndpoint(receiver.url, { subTenantId: 'tnt_a' });
    await rig.addEndpoint(other.url);
    rig.room().start();
    await rig.happen('tnt_b', ['tenant_warned']);
    await rig.happen('tnt_a', ['tenant_throttled']);
    await other.waitFor(2);
    const [request] = await receiver.waitFor(1);
    expect(bodyOf(request)).toMatchObject({ event: 'tenant.throttled', data: { id: 'tnt_a' } });
    expect(receiver.requests).toHaveLength(1);
    await other.close();
  });

  it('is not created for events older than the endpoint, or without an endpoint', async () => {
    rig.room().start();
    await rig.happen('msg_0', ['sent']);
    await waitFor('the cursor has passed it', async () => (await rig.store.webhooks.lagging()).length === 0);
    await rig.addEndpoint(receiver.url, { createdAt: Date.now() });
    await rig.happen('msg_1', ['sent'], rig.live, Date.now() - 60_000);
    await rig.happen('msg_2', ['sent'], rig.live, Date.now() + 1);
    const [request] = await receiver.waitFor(1);
    expect(bodyOf(request).data.id).toBe('msg_2');
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('the order of deliveries', () => {
  it('is kept for one message, even if its events are simultaneous', async () => {
    await rig.addEndpoint(receiver.url);
    receiver.setDefault({ delayMs: 3 });
    rig.room().start();
    const subjects = Array.from({ length: 20 }, (_, i) => `msg_${i}`);
    await Promise.all(subjects.map((one) => rig.happen(one, ['sent', 'delivered', 'opened', 'clicked'])));
    const received = (await receiver.waitFor(80)).map(bodyOf);
    for (const one of subjects) {
      expect(received.filter(({ data }) => data.id === one).map(({ event }) => event)).toEqual([
        'message.sent',
        'message.delivered',
        'message.opened',
        'message.clicked',
      ]);
    }
  });

  it('yields to a retry, so later deliveries do not wait for a failed one', async () => {
    await rig.close();
    rig = await startWebhooks({ settings: { webhookScheduleMs: [1_000] } });
    const { id } = await rig.addEndpoint(receiver.url);
    receiver.script({ status: 500 });
    rig.room().start();
    await rig.happen('msg_1', ['sent', 'delivered']);
    const received = await receiver.waitFor(3);
    expect(received.map((one) => [bodyOf(one).event, header(one, 'service-attempt')])).toEqual([
      ['message.sent', '1'],
      ['message.delivered', '1'],
      ['message.sent', '2'],
    ]);
    await rig.settled(id, 2);
  });
});

describe('a failed attempt', () => {
  it.each([
    [
      'an error status',
      { status: 503, body: 'later' },
      { response_status: 503, response_body: 'later', error: null },
    ],
    [
      'a redirect, which is not followed',
      { redirectTo: 'http://127.0.0.1:1/' },
      { response_status: 302, error: 'redirects are not followed' },
    ],
    ['a broken connection', { fault: 'reset' as const }, { response_status: null, response_body: null }],
  ])('%s is repeated with the same id and another signature', async (_what, reply, logged) => {
    const { id } = await rig.addEndpoint(receiver.url);
    receiver.script(reply);
    rig.room().start();
    await rig.happen('msg_1', ['sent']);
    const [first, second] = await receiver.waitFor(2);
    expect(header(second, 'service-delivery')).toBe(header(first, 'service-delivery'));
    expect(second?.rawBody).toEqual(first?.rawBody);
    expect(header(second, 'service-attempt')).toBe('2');
    expect(await rig.settled(id, 1)).toMatchObject([{ status: 'succeeded', attempts: 2 }]);
    const [one, two] = await rig.attempts(id);
    expect(one).toMatchObject({ number: 1, ...logged });
    expect(two).toMatchObject({ number: 2, response_status: 200 });
  });

  it('without an answer ends with the timeout', async () => {
    await rig.close();
    rig = await startWebhooks({
      settings: { webhookTimeoutMs: 100, webhookScheduleMs: [] },
    });
    const { id } = await rig.addEndpoint(receiver.url);
    receiver.script({ fault: 'silence' });
    rig.room().start();
    await rig.happen('msg_1', ['sent']);
    expect(await rig.settled(id, 1)).toMatchObject([{ status: 'failed', attempts: 1 }]);
    expect(await rig.attempts(id)).toMatchObject([{ response_status: null, error: 'timed out' }]);
  });

  it('at the end of the schedule is the last, and the delivery has failed', async () => {
    const { id } = await rig.addEndpoint(receiver.url);
    receiver.setDefault({ status: 500 });
    rig.room().start();
    await rig.happen('msg_1', ['sent']);
    expect(await rig.settled(id, 1)).toMatchObject([{ status: 'failed', attempts: 3, due_at: null }]);
    expect(receiver.requests).toHaveLength(3);
    const endpoint = await rig.store.webhooks.endpoint(rig.live, id);
    expect(endpoint).toMatchObject({ status: 'enabled', consecutive_failures: 1 });
  });
});

describe('several nodes', () => {
  it('create and attempt the deliveries of a workspace on one of them', async () => {
    await rig.addEndpoint(receiver.url);
    const [first, second] = [sharedRoom(false), sharedRoom(false)];
    for (const room of [first, second]) rig.room({}, room).start();
    await rig.happen('msg_1', ['sent']);
    await pause(150);
    expect(await rig.store.webhooks.lagging()).toHaveLength(1);
    expect(receiver.requests).toHaveLength(0);
    second.isMine = true;
    await rig.happen('msg_2', ['sent']);
    await receiver.waitFor(2);
  });

  it('return waiting deliveries when they lose the room, and each arrives once', async () => {
    const { id } = await rig.addEndpoint(receiver.url);
    receiver.setDefault({ delayMs: 40 });
    const [first, second] = [sharedRoom(true), sharedRoom(false)];
    const rooms = [first, second].map((room) => rig.room({ webhookParallelism: 1 }, room));
    for (const room of rooms) room.start();
    for (let i = 0; i < 30; i += 1) await rig.happen(`msg_${i}`, ['sent']);
    await receiver.waitFor(3);
    first.isMine = false;
    second.isMine = true;
    await rig.settled(id, 30);
    const subjects = receiver.requests.map((request) => bodyOf(request).data.id);
    expect(new Set(subjects).size).toBe(30);
    expect(subjects).toHaveLength(30);
  });
});
