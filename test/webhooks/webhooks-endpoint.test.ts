// Tests endpoints in trouble: disabled, slow, forbidden, unreadable; and the state of deliveries after a crash or a restart.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSelfSigned } from '../../src/lib/tls/index.js';
import { startDnsServer } from '../support/dns-server.js';
import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '../support/http-receiver.js';
import { temporaryFolder } from '../support/open-engines.js';
import { waitFor } from '../support/wait.js';
import type { ProgramOptions } from '../support/program.js';
import { startWebhooks, type WebhooksProgram } from '../support/webhooks.js';
import { webhookEndpoints } from '../../src/webhooks/webhooks.tables.js';
import { update } from '../../src/database/rows.js';

let receiver: HttpReceiver;
let rig: WebhooksProgram;

async function open(options: ProgramOptions = {}): Promise<void> {
  rig = await startWebhooks(options);
}

beforeEach(async () => {
  receiver = await startHttpReceiver();
});

afterEach(async () => {
  await rig.close();
  await receiver.close();
});

const subjectOf = (request: ReceivedRequest): string =>
  (JSON.parse(String(request.rawBody)) as { data: { id: string } }).data.id;

async function enable(id: string): Promise<void> {
  const set = { status: 'enabled' as const, disabled_reason: null, consecutive_failures: 0 };
  await rig.store.commit([update(webhookEndpoints, { set, where: { id } })]);
}

describe('an endpoint whose deliveries fail', () => {
  it('is disabled after ten failures in a row, and later deliveries wait unattempted until it is enabled', async () => {
    await open({ settings: { webhookScheduleMs: [] } });
    const { id } = await rig.addEndpoint(receiver.url);
    receiver.setDefault({ status: 500 });
    const room = rig.room();
    room.start();
    for (let i = 0; i < 10; i++) await rig.happen(`msg_${i}`, ['sent']);
    await rig.settled(id, 10);
    await waitFor('it is disabled', async () => {
      return (await rig.store.webhooks.endpoint(rig.live, id))?.status === 'disabled';
    });
    expect((await rig.store.webhooks.endpoint(rig.live, id))?.disabled_reason).toContain('10');
    await rig.happen('msg_late', ['sent']);
    await waitFor('it is fanned out', async () => (await rig.deliveries(id)).length === 11);
    receiver.setDefault({});
    expect(receiver.requests).toHaveLength(10);
    await enable(id);
    room.deliveryWakeUp.notify();
    const all = await rig.settled(id, 11);
    expect(all.at(-1)).toMatchObject({ subject_id: 'msg_late', status: 'succeeded', attempts: 1 });
  });

  it('is disabled immediately by 410 Gone, and its deliveries wait', async () => {
    await open();
    const { id } = await rig.addEndpoint(receiver.url);
    receiver.setDefault({ status: 410 });
    rig.room().start();
    await rig.happen('msg_1', ['sent']);
    await waitFor('it is disabled', async () => {
      return (await rig.store.webhooks.endpoint(rig.live, id))?.status === 'disabled';
    });
    expect((await rig.store.webhooks.endpoint(rig.live, id))?.disabled_reason).toContain('410 Gone');
    expect(await rig.deliveries(id)).toMatchObject([{ status: 'failed', attempts: 1 }]);
  });

  it('waits as long as a 429 requests', async () => {
    await open({ settings: { webhookScheduleMs: [1] } });
    const { id } = await rig.addEndpoint(receiver.url);
    receiver.setDefault({ status: 429, headers: { 'retry-after': '3600' } });
    rig.room().start();
    const before = Date.now();
    await rig.happen('msg_1', ['sent']);
    await waitFor('it was attempted', async () => (await rig.deliveries(id))[0]?.attempts === 1);
    const [delivery] = await rig.deliveries(id);
    expect(delivery?.status).toBe('pending');
    expect((delivery?.due_at ?? 0) - before).toBeGreaterThanOrEqual(3_600_000);
  });

  it('with user name and password gets Basic authentication, which its log does not show', async () => {
    await open();
    const { id } = await rig.addEndpoint(receiver.url, { credentials: 'ann:secret' });
    rig.room().start();
    await rig.happen('msg_1', ['sent']);
    await rig.settled(id, 1);
    expect(receiver.requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('ann:secret').toString('base64')}`,
    );
    const [attempt] = await rig.attempts(id);
    expect(JSON.parse(attempt?.request_headers ?? '')).toMatchObject({ Authorization: 'Basic ***' });
    expect(attempt?.url).toBe(`${receiver.url}/`);
  });

  it('resets its count after a success', async () => {
    await open({ settings: { webhookScheduleMs: [], webhookDisableAfter: 2 } });
    const { id } = await rig.addEndpoint(receiver.url);
    receiver.script({ status: 500 }, {}, { status: 500 });
    rig.room().start();
    for (const [i, one] of ['msg_1', 'msg_2', 'msg_3'].entries()) {
      await rig.happen(one, ['sent']);
      await rig.settled(id, i + 1);
    }
    const endpoint = await rig.store.webhooks.endpoint(rig.live, id);
    expect(endpoint).toMatchObject({ status: 'enabled', consecutive_failures: 1 });
  });

  it('gets no delivery that was claimed before it was disabled', async () => {
    await open();
    const { id } = await rig.addEndpoint(receiver.url);
    receiver.setDefault({ delayMs: 150 });
    const room = rig.room();
    room.start();
    for (let i = 0; i < 16; i++) await rig.happen(`msg_${i}`, ['sent']);
    await receiver.waitFor(1);
    await rig.store.commit([update(webhookEndpoints, { set: { status: 'disabled' }, where: { id } })]);
    room.deliveryWakeUp.notify();
    const openThen = receiver.requests.length;
    expect(openThen).toBeLessThanOrEqual(8);
    await waitFor('no lease is left', async () => {
      const pending = (await rig.deliveries(id)).filter(({ status }) => status === 'pending');
      return (
        pending.length === 16 - receiver.requests.length && pending.every((one) => one.lease_until === null)
      );
    });
    expect(receiver.requests.length).toBeLessThan(16);
    expect(
      (await rig.deliveries(id)).filter((one) => one.status === 'pending').every((one) => one.attempts === 0),
    ).toBe(true);
  });
});

describe('an endpoint that does not answer', () => {
  it('delays no other, however many deliveries wait for it', async () => {
    await open({ settings: { webhookParallelism: 8, webhookTimeoutMs: 60_000 } });
    const slow = await startHttpReceiver();
    slow.setDefault({ fault: 'silence' });
    await rig.addEndpoint(slow.url);
    const { id } = await rig.addEndpoint(receiver.url);
    rig.room().start();
    for (let i = 0; i < 100; i++) await rig.happen(`msg_${i}`, ['sent']);
    await receiver.waitFor(100, 15_000);
    expect(slow.requests.length).toBeLessThanOrEqual(2);
    await rig.settled(id, 100);
    await slow.close();
  });

  it('delays no other, even with more such endpoints than slots', async () => {
    await open({ settings: { webhookParallelism: 4, webhookTimeoutMs: 300, webhookScheduleMs: [1, 1, 1] } });
    const slow = await startHttpReceiver();
    slow.setDefault({ fault: 'silence' });
    for (let i = 0; i < 12; i++) await rig.addEndpoint(slow.url);
    const room = rig.room();
    room.start();
    await rig.happen('msg_0', ['sent']);
    await slow.waitFor(12, 20_000);
    const { id } = await rig.addEndpoint(receiver.url);
    const before = slow.requests.length;
    await rig.happen('msg_1', ['sent']);
    await rig.settled(id, 1);
    expect(slow.requests.length - before).toBeLessThan(12);
    await slow.close();
  }, 30_000);
});

describe('a forbidden address', () => {
  it('is refused when connecting, even if the name resolved differently when the URL was saved', async () => {
    const dns = await startDnsServer();
    dns.set('hook.test', 'A', ['127.0.0.1']);
    await open({
      env: { MAILKEEL_DNS_SERVERS: dns.address },
      settings: { webhookAllowPrivate: false, webhookScheduleMs: [] },
    });
    const named = await rig.addEndpoint(`http://hook.test:${receiver.port}/`);
    const literal = await rig.addEndpoint(receiver.url);
    rig.room().start();
    await rig.happen('msg_1', ['sent']);
    expect(await rig.settled(named.id, 1)).toMatchObject([{ status: 'failed' }]);
    expect(await rig.settled(literal.id, 1)).toMatchObject([{ status: 'failed' }]);
    const [attempt] = await rig.attempts(named.id);
    expect(attempt?.error).toMatch(/^refused: hook\.test resolves to a loopback address$/);
    expect((await rig.attempts(literal.id))[0]?.error).toContain('public address');
    expect(receiver.requests).toHaveLength(0);
    await dns.close();
  });
});

describe('an endpoint with a certificate of the operator\u2019s own authority', () => {
  it('is posted to if MAILKEEL_EXTRA_CA_FILE contains the authority, and refused otherwise', async () => {
    const folder = temporaryFolder();
    const extraCaFile = join(folder.path, 'authority.pem');
    const pair = await makeSelfSigned(['127.0.0.1'], Date.now());
    await writeFile(extraCaFile, pair.cert);
    const secure = await startHttpReceiver({ tls: pair });
    const settings = { webhookScheduleMs: [] };
    await open({ settings: { ...settings, extraCaFile } });
    const trusted = await rig.addEndpoint(secure.url);
    rig.room().start();
    await rig.happen('msg_1', ['sent']);
    expect(await rig.settled(trusted.id, 1)).toMatchObject([{ status: 'succeeded' }]);
    await rig.close();

    await open({ settings });
    const stranger = await rig.addEndpoint(secure.url);
    rig.room().start();
    await rig.happen('msg_1', ['sent']);
    expect(await rig.settled(stranger.id, 1)).toMatchObject([{ status: 'failed' }]);
    expect((await rig.attempts(stranger.id))[0]?.error).toContain('self-signed certificate');
    expect(secure.requests).toHaveLength(1);
    await secure.close();
    folder.remove();
  });
});

describe('a secret that cannot be decrypted', () => {
  it('holds the deliveries of its endpoint and no others', async () => {
    await open();
    const broken = await rig.addEndpoint(receiver.url, { unreadable: true });
    const { id } = await rig.addEndpoint(receiver.url);
    rig.room().start();
    await rig.happen('msg_1', ['sent']);
    await rig.settled(id, 1);
    expect(await rig.deliveries(broken.id)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('a crash', () => {
  it('leaves a lease, after which the delivery is attempted', async () => {
    await open();
    const { id } = await rig.addEndpoint(receiver.url);
    await rig.happen('msg_1', ['sent']);
    const now = Date.now();
    const cursor = { workspaceNumber: rig.live.workspaceNumber, from: 0, to: 0 };
    expect(await rig.store.webhooks.fanOut({ ...cursor, to: 1 }, [deliveryTo(id, now)])).toBe(true);
    expect(await rig.store.webhooks.claimDeliveries(id, now, now + 300, 5)).toHaveLength(1);
    rig.room().start();
    const [request] = await receiver.waitFor(1);
    expect(request?.at).toBeGreaterThan(now + 300);
    expect(await rig.settled(id, 1)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  });

  it('of a worker that recorded late changes nothing, because an attempt counts once', async () => {
    await open();
    const { id } = await rig.addEndpoint(receiver.url);
    await rig.happen('msg_1', ['sent']);
    rig.room().start();
    const [delivery] = await rig.settled(id, 1);
    const late = {
      deliveryId: delivery?.id ?? 0,
      endpointId: id,
      attempt: {
        number: 1,
        at: 1,
        duration_ms: 1,
        response_status: 500,
        response_body: null,
        error: null,
        url: null,
        request_headers: null,
        request_body: null,
        response_headers: null,
      },
      result: { kind: 'failed' as const },
      now: 1,
    };
    expect(await rig.store.webhooks.finishAttempts([late], 1)).toEqual([]);
    expect(await rig.deliveries(id)).toMatchObject([{ status: 'succeeded' }]);
    expect(await rig.attempts(id)).toHaveLength(1);
  });

  it('or a stop during an attempt loses nothing and repeats no answered attempt', async () => {
    await open();
    const { id } = await rig.addEndpoint(receiver.url);
    receiver.setDefault({ delayMs: 40 });
    const subjects = Array.from({ length: 60 }, (_, i) => `msg_${i}`);
    const first = rig.room();
    first.start();
    await Promise.all(subjects.map((one) => rig.happen(one, ['sent'])));
    await receiver.waitFor(5);
    await first.stop();
    const made = receiver.requests.length;
    expect(made).toBeLessThan(60);
    const left = await rig.deliveries(id);
    expect(left.filter((one) => one.status === 'succeeded')).toHaveLength(made);
    expect(left.every((one) => one.lease_until === null)).toBe(true);
    rig.room().start();
    await rig.settled(id, 60);
    expect(receiver.requests.map(subjectOf).sort()).toEqual([...subjects].sort());
  });
});

function deliveryTo(endpointId: string, now: number) {
  return {
    public_id: `whd_${endpointId}`,
    endpoint_id: endpointId,
    environment_id: rig.live.environmentId,
    event_position: null,
    event: 'message.sent' as const,
    subject_id: 'msg_1',
    payload: '{}',
    status: 'pending' as const,
    attempts: 0,
    due_at: now,
    lease_until: null,
    created_at: now,
  };
}
