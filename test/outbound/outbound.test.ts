import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { startOutboundRig, type OutboundRig } from '../support/outbound-rig.js';
import { startScriptedPeer } from '../support/scripted-peer.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';
import { tuned } from '../support/tuning.js';
import { queueDepth } from '../support/queue-depth.js';
import { dkimKeys, senders } from '../../src/domains/domains.tables.js';
import { update } from '../../src/database/rows.js';
import { dequeueMessage, requeueMessage } from '../../src/messages/message-changes.store.js';

let dns: TestDnsServer;
let sink: SmtpSink;
/**
 * One program for all tests that do not need another. Each test has its own destination hosts, so that outcomes do not affect
 * other tests.
 */
let rig: OutboundRig;
let answer: (address: string) => string | null;

beforeAll(async () => {
  dns = await startDnsServer({ zones: { 'null.test': { MX: [{ preference: 0, exchange: '.' }] } } });
  sink = await startSmtpSink({ keep: true, onRcpt: (address) => answer(address) });
  rig = await startOutboundRig({
    MAILKEEL_DNS_SERVERS: dns.address,
    MAILKEEL_MX_PORT: String(sink.port),
    MAILKEEL_DESTINATION_CONNECTIONS: '1',
    MAILKEEL_DNS_NEGATIVE_CACHE: '50ms',
    MAILKEEL_DNS_TIMEOUT: '300ms',
  });
  await rig.addSenderDomain('sender.test');
  await rig.outbound.start();
});
/** A retried test gets new domains. */
let tries = 0;
beforeEach(() => {
  tries += 1;
  answer = () => null;
});
afterEach(() => {
  sink.messages.length = 0;
});
afterAll(async () => {
  await rig.close();
  await sink.close();
  await dns.close();
});

/** A domain of this try of this test, whose mail goes to the sink. */
function receiver(name: string): string {
  const domain = `${name}${tries}.test`;
  dns.set(domain, 'MX', [{ preference: 10, exchange: `mx.${domain}` }]);
  dns.set(`mx.${domain}`, 'A', ['127.0.0.1']);
  return domain;
}

describe('the outbound path', () => {
  it('delivers a signed message and writes its whole trail', async () => {
    const id = await rig.send({ to: `ann@${receiver('there')}` });
    await waitFor('it is delivered', async () => (await rig.status(id)) === 'delivered');
    expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'delivered']);
    const raw = sink.messages[0]?.raw.toString('latin1') ?? '';
    expect(raw).toMatch(/^DKIM-Signature: /);
    expect(raw).toContain('d=sender.test');
    expect(sink.messages[0]?.mailFrom).toMatch(/^b-[0-9a-z]+@mta\.sender\.test$/);
    expect(await queueDepth(rig.store)).toEqual({ waiting: 0, leased: 0 });
  });

  it('sends many messages over few connections in the order of arrival', async () => {
    const before = sink.connections();
    const domain = receiver('many');
    for (let i = 0; i < 40; i++) await rig.send({ to: `ann@${domain}`, subject: `number ${i}` });
    await waitFor('all are there', () => sink.messages.length === 40);
    const subjects = sink.messages.map(({ raw }) => /number (\d+)/.exec(raw.toString('latin1'))?.[1]);
    expect(subjects).toEqual(Array.from({ length: 40 }, (_, i) => String(i)));
    expect(sink.connections() - before).toBe(1);
  });

  it('defers a 451 with the reply, and delivers later', async () => {
    let asked = 0;
    answer = () => (++asked <= 2 ? '451 4.7.1 Greylisted, come back later' : null);
    const domain = receiver('later');
    const id = await rig.send({ to: `ann@${domain}` });
    await waitFor('it is delivered', async () => (await rig.status(id)) === 'delivered');
    expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'deferred', 'deferred', 'delivered']);
    const deferred = (await rig.store.events.auditTrailOfMessage(id)).find(
      ({ event }) => event === 'deferred',
    );
    expect(JSON.parse(deferred?.detail ?? '{}')).toMatchObject({
      metadata: {
        code: 451,
        enhanced_code: '4.7.1',
        category: 'greylist',
        attempt: 1,
        remote_host: `mx.${domain}`,
      },
    });
    expect(sink.messages).toHaveLength(1);
  });

  it('bounces a 550 5.1.1 and suppresses the address, so the next message is not sent', async () => {
    answer = () => '550 5.1.1 No such user';
    const to = `gone@${receiver('gone')}`;
    const first = await rig.send({ to });
    await waitFor('it has bounced', async () => (await rig.status(first)) === 'bounced');
    expect(await rig.trail(first)).toEqual(['queued', 'sending', 'sent', 'bounced', 'suppressed']);
    const second = await rig.send({ to });
    await waitFor('it is suppressed', async () => (await rig.status(second)) === 'suppressed');
    expect(await rig.trail(second)).toEqual(['queued', 'suppressed']);
    expect(sink.messages).toEqual([]);
  });

  it('bounces mail that DNS permanently rejects, and waits while DNS fails', async () => {
    const domain = receiver('sick');
    dns.fault(domain, 'servfail');
    const nowhere = await rig.send({ to: 'ann@null.test' });
    const sick = await rig.send({ to: `ann@${domain}` });
    await waitFor('null MX has bounced', async () => (await rig.status(nowhere)) === 'bounced');
    expect(await rig.trail(nowhere)).toEqual(['queued', 'sending', 'sent', 'bounced']);
    await waitFor('it is deferred', async () => (await rig.trail(sick)).includes('deferred'));
    dns.fault(domain, null);
    await waitFor('it is delivered', async () => (await rig.status(sick)) === 'delivered', Boolean, 25_000);
  }, 30_000);

  it('holds mail that it cannot sign, and sends it when there is a key', async () => {
    const sender = `unsigned${tries}.test`;
    await rig.addSenderDomain(sender);
    const where = { domain: sender };
    await rig.store.commit([update(dkimKeys, { set: { state: 'pending' }, where })]);
    const id = await rig.send({ from: `news@${sender}`, to: `ann@${receiver('signed-only')}` });
    await waitFor('it is held', async () => {
      const row = await rig.held(id);
      return row?.startsWith('signing') === true;
    });
    expect(await rig.trail(id)).toEqual(['queued']);
    expect(sink.messages).toEqual([]);
    await rig.store.commit([update(dkimKeys, { set: { state: 'active' }, where })]);
    await waitFor('it is delivered', async () => (await rig.status(id)) === 'delivered', Boolean, 20_000);
  }, 25_000);

  it('checks the sender again at delivery: suspended waits, removed fails', async () => {
    const sender = `vouched${tries}.test`;
    await rig.addSenderDomain(sender);
    const domain = receiver('asks-again');
    const from = `news@${sender}`;
    const where = { identity: sender };
    await rig.store.commit([update(senders, { set: { status: 'suspended' }, where })]);
    const id = await rig.send({ from, to: `ann@${domain}` });
    await waitFor('it is held', async () => (await rig.held(id))?.startsWith('sender: ') === true);
    expect(await rig.held(id)).toContain(`${sender} is suspended`);
    await rig.store.commit([update(senders, { set: { status: 'verified' }, where })]);
    await waitFor('it is delivered', async () => (await rig.status(id)) === 'delivered', Boolean, 20_000);
    await rig.store.commit([update(senders, { set: { deleted_at: 1 }, where })]);
    const late = await rig.send({ from, to: `bob@${domain}` });
    await waitFor('it has failed', async () => (await rig.status(late)) === 'failed');
    expect((await rig.entries(late, 'failed'))[0]).toMatchObject({ category: 'sender' });
    expect(sink.messages).toHaveLength(1);
  }, 30_000);

  it('marks a message as in doubt if the connection is lost after the dot, and retries late', async () => {
    const peer = await startScriptedPeer([
      '> 220 hi\n< EHLO\n> 250 peer\n< MAIL\n> 250 ok\n< RCPT\n> 250 ok\n< DATA\n> 354 go\nbody\nreset',
      '> 220 hi\n< EHLO\n> 250 peer\n< MAIL\n> 250 ok\n< RCPT\n> 250 ok\n< DATA\n> 354 go\nbody\n> 250 taken\n< QUIT\n> 221 bye\nclose',
    ]);
    onTestFinished(() => peer.close());
    const own = await startOutboundRig({
      MAILKEEL_DNS_SERVERS: dns.address,
      MAILKEEL_MX_PORT: String(peer.port),
      ...tuned({ idleConnectionMs: 50 }),
    });
    onTestFinished(() => own.close());
    await own.addSenderDomain('sender.test');
    await own.outbound.start();
    const id = await own.send({ to: `ann@${receiver('doubtful')}` });
    await waitFor('it is delivered', async () => (await own.status(id)) === 'delivered');
    expect(await own.trail(id)).toEqual(['queued', 'sending', 'sent', 'deferred', 'delivered']);
    const deferred = (await own.store.events.auditTrailOfMessage(id)).find(
      ({ event }) => event === 'deferred',
    );
    expect(JSON.parse(deferred?.detail ?? '{}')).toMatchObject({ metadata: { ambiguous: true } });
  });

  it('expires a message that is not accepted in its lifetime', async () => {
    answer = () => '451 4.3.0 Not now';
    const id = await rig.send({ to: `ann@${receiver('never')}`, expiresAt: Date.now() + 300 });
    await waitFor('it has bounced', async () => (await rig.status(id)) === 'bounced');
    expect(JSON.parse(await rig.error(id))).toMatchObject({ type: 'soft', category: 'expired', code: 451 });
  });

  it('records other outcomes if one cannot be written, and recovers that one from its row', async () => {
    const own = await startOutboundRig({
      MAILKEEL_DNS_SERVERS: dns.address,
      MAILKEEL_MX_PORT: String(sink.port),
      ...tuned({ queueLeaseMs: 3000 }),
      MAILKEEL_LOG_LEVEL: 'fatal',
    });
    onTestFinished(() => own.close());
    const domain = receiver('poisoned');
    await own.addSenderDomain('sender.test');
    const commit = own.store.commit;
    const poison = await own.send({ to: `poison@${domain}` });
    // True until the message waits for its second attempt.
    let isPoisoned = true;
    own.store.commit = (plan) => {
      const concerns = (kind: typeof dequeueMessage | typeof requeueMessage): boolean =>
        plan.some((change) => kind.is(change) && change.messageId === poison);
      if (concerns(requeueMessage)) isPoisoned = false;
      if (!isPoisoned || !concerns(dequeueMessage)) return commit(plan);
      return Promise.reject(new Error('constraint failed'));
    };
    const others: number[] = [];
    for (let i = 0; i < 20; i++) others.push(await own.send({ to: `ann${i}@${domain}` }));
    await own.outbound.start();
    for (const id of others)
      await waitFor('it is delivered', async () => (await own.status(id)) === 'delivered');
    await waitFor('the poisoned one too', async () => (await own.status(poison)) === 'delivered');
    expect(await own.trail(poison)).toEqual(['queued', 'sending', 'sent', 'deferred', 'delivered']);
    // Its first copy was accepted, and only the record of it was lost.
    expect(sink.messages).toHaveLength(22);
  }, 20_000);

  it('simulates every sandbox outcome without opening a socket', async () => {
    const before = sink.connections();
    const expected: Record<string, string[]> = {
      delivered: ['queued', 'sending', 'sent', 'delivered'],
      bounced: ['queued', 'sending', 'sent', 'bounced'],
      'soft-bounced': ['queued', 'sending', 'sent', 'bounced'],
      deferred: ['queued', 'sending', 'sent', 'deferred', 'delivered'],
      complained: ['queued', 'sending', 'sent', 'delivered', 'complained'],
      suppressed: ['queued', 'suppressed'],
      opened: ['queued', 'sending', 'sent', 'delivered', 'opened'],
      clicked: ['queued', 'sending', 'sent', 'delivered', 'opened', 'clicked'],
      anything: ['queued', 'sending', 'sent', 'delivered'],
    };
    const ids = new Map<string, number>();
    for (const name of Object.keys(expected)) {
      ids.set(name, await rig.send({ to: `${name}@nowhere.test`, mode: 'test' }));
    }
    for (const [name, trail] of Object.entries(expected)) {
      const id = ids.get(name) ?? 0;
      await waitFor(`${name} has ended`, async () => (await rig.trail(id)).length >= trail.length);
    }
    for (const [name, trail] of Object.entries(expected))
      expect([name, await rig.trail(ids.get(name) ?? 0)]).toEqual([name, trail]);
    expect(sink.connections()).toBe(before);
    expect(dns.queries.filter(({ name }) => name.endsWith('nowhere.test'))).toEqual([]);
  });
});
