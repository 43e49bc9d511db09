// Port 25 is shut, so the relay takes over; the relay is down, so mail goes directly. The trail says why, and mail goes its
// usual way again when that is open.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { insightInto } from '../support/insight.js';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';

const DEAD = ['one.example', 'two.example', 'three.example'];
const sinks: SmtpSink[] = [];
let rig: MailRig;

beforeEach(() => {
  sinks.length = 0;
});
afterEach(async () => {
  await rig.close();
  for (const sink of sinks) await sink.close();
});

async function listen(options: { port?: number; host?: string } = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink({ keep: true, ...options });
  sinks.push(sink);
  return sink;
}

async function start(mxPort: number, relayPort: number, via: string[], env: Record<string, string> = {}) {
  rig = await startMailRig({
    process: 'shared',
    mxPort,
    env: {
      POSTHORN_OUTBOUND: JSON.stringify({
        sources: [{ name: 'a', address4: '127.0.0.2', ehlo: 'a.mta.example' }],
        smarthosts: [{ name: 'relay', url: `smtp://relay.example:${relayPort}` }],
        default: via,
      }),
      ...env,
    },
  });
  rig.dns.set('relay.example', 'A', ['127.0.0.1']);
  DEAD.forEach((domain, index) => {
    rig.dns.set(domain, 'MX', [{ preference: 10, exchange: `mx.${domain}` }]);
    rig.dns.set(`mx.${domain}`, 'A', [`127.0.1.${index + 1}`]);
  });
}

const sentEntry = async (id: string) => (await rig.trail(id)).find(({ event }) => event === 'sent');

it('three sites that do not answer shut the direct way: mail takes the relay until the pause is over', async () => {
  const port = await freePort();
  const relay = await listen();
  await start(port, relay.port, ['pool:default', 'smarthost:relay'], {
    POSTHORN_SOURCE_PAUSES: '3s…',
    POSTHORN_BREAKER_PAUSES: '1m…',
    POSTHORN_RETRY_SCHEDULE: '1m…',
  });
  // One that is dead is no reason for another way.
  const [first = '', ...others] = await Promise.all(DEAD.map((domain) => rig.send(`ann@${domain}`)));
  for (const id of [first, ...others]) await rig.logged(id, 'deferred');

  const diverted = await rig.send('anna');
  expect(await rig.reached(diverted, 'sent')).toMatchObject({ provider: 'smarthost' });
  expect((await sentEntry(diverted))?.metadata).toMatchObject({
    via: 'relay',
    why: expect.stringContaining('port 25') as string,
  });
  const insight = insightInto(rig.appliance);
  expect((await insight.attempts(diverted))[0]).toMatchObject({ source: 'relay', via: 'smarthost' });
  expect(await insight.overrides()).toContainEqual(
    expect.objectContaining({ path: 'a > *', kind: 'suspend', rule: 'circuit breaker' }),
  );

  // The network is open again; after the pause one message tries it, and the rest follow.
  const direct = await listen({ port });
  let before = relay.count();
  for (let tries = 0; direct.count() === 0 && tries < 100; tries += 1) {
    const id = await rig.send(`probe${tries}`);
    await rig.logged(id, 'sent');
    if (direct.count() === 0) before += 1;
  }
  const back = await rig.send('back');
  expect(await rig.reached(back, 'delivered')).toMatchObject({ provider: 'mta' });
  expect((await sentEntry(back))?.metadata['why']).toBeUndefined();
  expect(relay.count()).toBe(before);
});

it('without a relay the mail waits and says that the source is shut', async () => {
  await start(await freePort(), 1, ['pool:default'], {
    POSTHORN_BREAKER_PAUSES: '1m…',
    POSTHORN_RETRY_SCHEDULE: '1m…',
  });
  const ids = await Promise.all(DEAD.map((domain) => rig.send(`ann@${domain}`)));
  for (const id of ids) await rig.logged(id, 'deferred');
  // Three dead domains are no proof: another one is tried for itself.
  await rig.logged(await rig.send('anna'), 'deferred');
  const waiting = await rig.send('ben');
  const insight = insightInto(rig.appliance);
  const found = await insight.explained(waiting, 'source_shut');
  expect(found.advice.length).toBeGreaterThan(0);
  expect(await insight.destination('receiver.example')).toMatchObject({
    depth: 2,
    reason: { code: 'source_shut' },
  });
});

it('a relay that is down is passed by, and taken again when it is up', async () => {
  const relayPort = await freePort();
  const direct = await listen();
  await start(direct.port, relayPort, ['smarthost:relay', 'pool:default'], {
    POSTHORN_BREAKER_PAUSES: '1s…',
  });
  const id = await rig.send('anna');
  expect(await rig.reached(id, 'delivered')).toMatchObject({ provider: 'smarthost' });
  const attempts = await insightInto(rig.appliance).attempts(id);
  expect(attempts.map(({ via, outcome }) => [via, outcome])).toEqual([
    ['smarthost', 'deferred'],
    ['mta', 'delivered'],
  ]);
  const next = await rig.send('bert');
  expect(await rig.reached(next, 'delivered')).toMatchObject({ provider: 'mta' });
  expect((await sentEntry(next))?.metadata).toMatchObject({
    via: 'a',
    why: expect.stringContaining('relay') as string,
  });
  const relay = await listen({ port: relayPort });
  for (let tries = 0; relay.count() === 0 && tries < 100; tries += 1) {
    await rig.logged(await rig.send(`probe${tries}`), 'sent');
  }
  expect(await rig.reached(await rig.send('carl'), 'sent')).toMatchObject({ provider: 'smarthost' });
});
