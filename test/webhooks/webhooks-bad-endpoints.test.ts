// Tests many endpoints that misbehave at the same time, each in its own way, and must not affect a good one. The timeout is
// longer than the tests may take, so that anything that waits for it fails.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createResolver } from '../../src/lib/dns/index.js';
import { systemClock } from '../../src/lib/runtime/index.js';
import { createUrlCheck } from '../../src/webhooks/webhooks.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { startHttpReceiver, type HttpReceiver, type ScriptedReply } from '../support/http-receiver.js';
import { sized } from '../support/run-size.js';
import type { ProgramOptions } from '../support/program.js';
import { startWebhooks, type WebhooksProgram } from '../support/webhooks.js';

const FOR_EVER_MS = 120_000;
/** Messages whose events the good endpoint receives. */
const MESSAGES = sized({ small: 8, full: 50 });
let bad: HttpReceiver;
let good: HttpReceiver;
let rig: WebhooksProgram;
let dns: TestDnsServer | null = null;

beforeEach(async () => {
  bad = await startHttpReceiver();
  good = await startHttpReceiver();
});

afterEach(async () => {
  await bad.close();
  await rig.close();
  await good.close();
  await dns?.close();
  dns = null;
});

async function open(options: ProgramOptions = {}): Promise<void> {
  rig = await startWebhooks(options);
}

const subjectOf = (request: { rawBody: Buffer }): string =>
  (JSON.parse(String(request.rawBody)) as { data: { id: string } }).data.id;

const MISBEHAVIOURS: [string, ScriptedReply][] = [
  ['never answers', { fault: 'silence' }],
  ['says 200 when nobody waits any more', { delayMs: FOR_EVER_MS }],
  ['says 200 and lets the body trickle', { fault: 'drip' }],
  ['says 200 with a body of 20 MB', { body: Buffer.alloc(20 * 1024 * 1024, 'x') }],
  ['redirects to the good one', { status: 307 }],
  ['breaks the connection', { fault: 'reset' }],
  ['says 500', { status: 500 }],
];

describe.each(MISBEHAVIOURS)('an endpoint that %s', (_what, reply) => {
  it('delays no other endpoint, and its posts reach no one else', async () => {
    await open({
      settings: { webhookParallelism: 8, webhookTimeoutMs: FOR_EVER_MS, webhookScheduleMs: [FOR_EVER_MS] },
    });
    bad.setDefault(reply.status === 307 ? { ...reply, redirectTo: `${good.url}/elsewhere` } : reply);
    for (let i = 0; i < 3; i += 1) await rig.addEndpoint(`${bad.url}/${i}`);
    const { id } = await rig.addEndpoint(`${good.url}/mine`);
    rig.room().start();
    for (let i = 0; i < MESSAGES; i += 1) await rig.happen(`msg_${i}`, ['sent', 'delivered']);
    await rig.settled(id, 2 * MESSAGES);
    expect(good.requests.every(({ url }) => url === '/mine')).toBe(true);
    expect(new Set(good.requests.map(subjectOf)).size).toBe(MESSAGES);
  });
});

describe('a good endpoint', () => {
  it('is not delayed if many quick ones stop responding together', async () => {
    await open({ settings: { webhookParallelism: 8, webhookTimeoutMs: FOR_EVER_MS } });
    const ids = [];
    for (let i = 0; i < 12; i += 1) ids.push((await rig.addEndpoint(`${bad.url}/${i}`)).id);
    const { id } = await rig.addEndpoint(good.url);
    rig.room().start();
    // They earn a quick pace first.
    for (let i = 0; i < 10; i += 1) await rig.happen(`msg_${i}`, ['sent']);
    for (const one of [...ids, id]) await rig.settled(one, 10);
    bad.setDefault({ fault: 'silence' });
    const late = sized({ small: 15, full: 40 });
    for (let i = 0; i < late; i += 1) await rig.happen(`msg_late_${i}`, ['sent']);
    await rig.settled(id, 10 + late);
    expect(good.requests).toHaveLength(10 + late);
  });

  it('is not delayed by more unresponsive new ones than there are slots', async () => {
    await open({ settings: { webhookParallelism: 8, webhookTimeoutMs: FOR_EVER_MS } });
    const { id } = await rig.addEndpoint(good.url);
    rig.room().start();
    await rig.happen('msg_first', ['sent']);
    await rig.settled(id, 1);
    bad.setDefault({ fault: 'silence' });
    for (let i = 0; i < 30; i += 1) await rig.addEndpoint(`${bad.url}/${i}`);
    for (let i = 0; i < 20; i += 1) await rig.happen(`msg_${i}`, ['sent']);
    await rig.settled(id, 21);
    expect(bad.requests.length).toBeLessThanOrEqual(4);
  });

  it('that responds late is not starved by those that never do', async () => {
    await open({ settings: { webhookParallelism: 8, webhookTimeoutMs: FOR_EVER_MS } });
    good.setDefault({ delayMs: 2_100 });
    const { id } = await rig.addEndpoint(good.url);
    rig.room().start();
    await rig.happen('msg_first', ['sent']);
    await rig.settled(id, 1);
    bad.setDefault({ fault: 'silence' });
    for (let i = 0; i < 30; i += 1) await rig.addEndpoint(`${bad.url}/${i}`);
    for (let i = 0; i < 3; i += 1) await rig.happen(`msg_${i}`, ['sent']);
    await rig.settled(id, 4);
  });
});

describe('an address that is not public', () => {
  it('is refused at each connection, even if the name resolved differently before', async () => {
    dns = await startDnsServer({ ttlSeconds: 0 });
    dns.set('hook.test', 'A', ['93.184.216.34']);
    const resolver = createResolver({ servers: [dns.address], clock: systemClock });
    const check = createUrlCheck({ config: { webhookAllowPrivate: false }, resolver });
    expect(await check(`http://hook.test:${good.port}/`)).toBeNull();
    resolver.close();
    dns.set('hook.test', 'A', ['127.0.0.1']);
    dns.set('mapped.test', 'AAAA', ['::ffff:127.0.0.1']);
    dns.set('both.test', 'A', ['127.0.0.1']);
    dns.set('both.test', 'AAAA', ['::1']);
    await open({
      env: { MAILKEEL_DNS_SERVERS: dns.address },
      settings: { webhookAllowPrivate: false, webhookScheduleMs: [1, 1] },
    });
    const hosts = [
      'hook.test',
      'mapped.test',
      'both.test',
      '2130706433',
      '0x7f.1',
      '127.1',
      '[::ffff:7f00:1]',
      '[::1]',
    ];
    const ids = [];
    for (const host of hosts) ids.push((await rig.addEndpoint(`http://${host}:${good.port}/`)).id);
    rig.room().start();
    await rig.happen('msg_1', ['sent']);
    for (const id of ids) {
      expect(await rig.settled(id, 1)).toMatchObject([{ status: 'failed', attempts: 3 }]);
      const errors = (await rig.attempts(id)).map(({ error }) => error);
      for (const error of errors) expect(error).toMatch(/loopback|public address/);
    }
    expect(good.requests).toHaveLength(0);
  });
});
