// Tests failover in both directions: if port 25 is blocked, mail goes through the relay, and if the relay is down, mail goes
// directly. The trail says why, and mail takes its usual route again when that works. Dead domains do not cause a failover.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.js';
import { insightInto } from '../../support/insight.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { isFullSize } from '../../support/run-size.js';
import { startSilentPeer, type SilentPeer } from '../../support/silent-peer.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const DEAD = ['one.example', 'two.example', 'three.example'];
const sinks: SmtpSink[] = [];
const silent: SilentPeer[] = [];
let rig: MailRig;

beforeEach(() => {
  sinks.length = 0;
});
afterEach(async () => {
  await rig.close();
  for (const sink of sinks) await sink.close();
  await wake();
});

async function listen(options: { port?: number; host?: string } = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink({ keep: true, ...options });
  sinks.push(sink);
  return sink;
}

const hostOf = (index: number): string => `127.0.1.${index + 1}`;

/** The dead domains no longer respond, not even by refusing. */
async function fallSilent(port: number, more: readonly string[] = []): Promise<void> {
  const hosts = [...DEAD.map((_, index) => hostOf(index)), ...more];
  silent.push(...(await Promise.all(hosts.map((host) => startSilentPeer({ host, port })))));
}

async function wake(): Promise<void> {
  for (const peer of silent.splice(0)) await peer.close();
}

const isClosed = async (): Promise<boolean> =>
  (await insightInto(rig.appliance).overrides()).some(({ path }) => path === 'a > *');

async function start(mxPort: number, relayPort: number, via: string[], env: Record<string, string> = {}) {
  rig = await startMailRig({
    process: 'shared',
    mxPort,
    env: {
      MAILKEEL_OUTBOUND: JSON.stringify({
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
    rig.dns.set(`mx.${domain}`, 'A', [hostOf(index)]);
  });
}

const sentEntry = async (id: string) => (await rig.trail(id)).find(({ event }) => event === 'sent');

it('mail uses the relay while no known server responds, and is sent directly again later', async () => {
  const port = await freePort();
  const relay = await listen();
  const hosts = await Promise.all(DEAD.map((_, index) => listen({ port, host: hostOf(index) })));
  await start(port, relay.port, ['pool:default', 'smarthost:relay'], {
    ...tuned({ sourcePausesMs: [1000], breakerPausesMs: [300] }),
    MAILKEEL_RETRY_SCHEDULE: '300ms…',
    MAILKEEL_SMTP_CONNECT_TIMEOUT: '300ms',
  });
  for (const domain of DEAD) await rig.reached(await rig.send(`ann@${domain}`), 'delivered');
  for (const host of hosts) await host.close();
  await fallSilent(port);

  const waiting = await Promise.all(DEAD.map((domain) => rig.send(`bob@${domain}`)));
  await waitFor('the source is closed', isClosed);
  await waitFor('the relay has what waited', () => relay.count() === waiting.length);
  const diverted = await rig.send('anna');
  expect(await rig.reached(diverted, 'sent')).toMatchObject({ provider: 'smarthost' });
  expect((await sentEntry(diverted))?.metadata).toMatchObject({
    via: 'relay',
    why: expect.stringContaining('port 25') as string,
  });
  const insight = insightInto(rig.appliance);
  expect((await insight.attempts(diverted))[0]).toMatchObject({ source: 'relay', via: 'smarthost' });
  expect(await insight.overrides()).toContainEqual(
    expect.objectContaining({ path: 'a > *', kind: 'suspend', rule: 'port 25 blocked' }),
  );

  // The network is open again, which is detected after the pause without risking a message.
  await wake();
  await Promise.all(DEAD.map((_, index) => listen({ port, host: hostOf(index) })));
  await listen({ port });
  await waitFor('the source is open', async () => {
    await rig.send('asking');
    return !(await isClosed());
  });
  const back = await rig.send('back');
  expect(await rig.reached(back, 'delivered')).toMatchObject({ provider: 'mta' });
  expect((await sentEntry(back))?.metadata['why']).toBeUndefined();
});

it.runIf(isFullSize).each([
  ['refuse', false],
  ['are silent', true],
])('domains that %s move no mail to the relay', async (_what, areSilent) => {
  const port = await freePort();
  const [relay, live] = [await listen(), await listen({ port })];
  await start(port, relay.port, ['pool:default', 'smarthost:relay'], {
    ...tuned({ sourcePausesMs: [1000], breakerPausesMs: [200] }),
    MAILKEEL_SMTP_CONNECT_TIMEOUT: '200ms',
  });
  if (areSilent) await fallSilent(port);
  const ids = await Promise.all(DEAD.map((domain) => rig.send(`ann@${domain}`)));
  for (const id of ids) await rig.logged(id, 'deferred', 5);
  expect(await rig.reached(await rig.send('anna'), 'delivered')).toMatchObject({ provider: 'mta' });
  expect([relay.count(), live.count()]).toEqual([0, 1]);
});

it.runIf(isFullSize)(
  'without a relay a suspicion stops no mail, and waiting mail mentions the suspended source',
  async () => {
    const port = await freePort();
    await start(port, 1, ['pool:default'], {
      ...tuned({ sourcePausesMs: [1000, 60_000], breakerPausesMs: [600, 600, 600, 60_000] }),
      MAILKEEL_RETRY_SCHEDULE: '300ms…',
      MAILKEEL_SMTP_CONNECT_TIMEOUT: '200ms',
    });
    rig.dns.set('mx.receiver.example', 'A', ['127.0.1.9']);
    await fallSilent(port, ['127.0.1.9']);
    for (const domain of DEAD) await rig.send(`ann@${domain}`);
    await waitFor('the guess', isClosed);
    await rig.logged(await rig.send('anna'), 'deferred', 2);
    const waiting = await rig.send('ben');
    const insight = insightInto(rig.appliance);
    const found = await insight.explained(waiting, 'source_unreachable');
    expect(found.advice.length).toBeGreaterThan(0);
    expect(await insight.destination('receiver.example')).toMatchObject({
      depth: 2,
      reason: { code: 'source_unreachable' },
    });
  },
);

it('an unreachable relay is skipped, and used again when it is up', async () => {
  const relayPort = await freePort();
  const direct = await listen();
  await start(direct.port, relayPort, ['smarthost:relay', 'pool:default'], {
    ...tuned({ breakerPausesMs: [1000] }),
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
