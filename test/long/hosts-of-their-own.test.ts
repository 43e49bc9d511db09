// Tests direct delivery under real conditions: hosts with their own addresses, real DNS on port 53, MX records, port 25, two
// source addresses, and a receiver whose cable is unplugged and plugged in again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insightInto } from '../support/insight.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { events, startMailRig, type MailRig } from '../support/mail-rig.js';
import { ensureNetworks, startNetwork, type Served, type TestNetwork } from '../support/network.js';
import { waitFor } from '../support/wait.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { selfSignedCertificate } from '../support/test-certificate.js';
import { tuned } from '../support/tuning.js';

const skipReason = ensureNetworks();
if (skipReason !== null) console.warn(`skipped: hosts of their own: ${skipReason}`);

const SOURCES = [
  { name: 'a', address4: '10.83.25.2', ehlo: 'a.mta.example' },
  { name: 'b', address4: '10.83.25.3', ehlo: 'b.mta.example' },
];
const NAMES = '10.83.25.53';
const RECEIVERS = { north: '10.83.25.11', south: '10.83.25.12' };

describe.skipIf(skipReason !== null)('separate hosts', () => {
  let network: TestNetwork;
  let dns: TestDnsServer;
  let rig: MailRig;
  const sinks = new Map<string, SmtpSink>();
  const served = new Map<string, Served>();

  beforeAll(async () => {
    network = await startNetwork({
      sender: SOURCES.map(({ address4 }) => address4),
      names: [NAMES],
      north: [RECEIVERS.north],
      south: [RECEIVERS.south],
    });
    dns = await startDnsServer();
    await network.serveDns('names', NAMES, dns.port);
    for (const [host, address] of Object.entries(RECEIVERS)) {
      dns.set(`${host}.example`, 'MX', [{ preference: 10, exchange: `mail.${host}.example` }]);
      dns.set(`mail.${host}.example`, 'A', [address]);
      const sink = await startSmtpSink({
        keep: true,
        starttls: selfSignedCertificate(`mail.${host}.example`),
      });
      sinks.set(host, sink);
      served.set(host, await network.serve(host, { address, port: 25 }, sink.port));
    }
    rig = await startMailRig({
      dns,
      host: { within: network.within('sender'), reach: (port) => network.reach('sender', port) },
      env: {
        MAILKEEL_DNS_SERVERS: NAMES,
        MAILKEEL_OUTBOUND: JSON.stringify({ sources: SOURCES, pools: { default: ['a', 'b'] } }),
        MAILKEEL_SMTP_CONNECT_TIMEOUT: '500ms',
        ...tuned({ breakerPausesMs: [3000], idleConnectionMs: 100 }),
      },
    });
  });
  afterAll(async () => {
    await rig.close();
    for (const sink of sinks.values()) await sink.close();
    await dns.close();
    await network.close();
  });

  it('mail is routed by MX to port 25, from both addresses, each with its own name', async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        rig.send(`r${number}@${number % 2 === 0 ? 'north' : 'south'}.example`),
      ),
    );
    for (const id of ids) await rig.reached(id, 'delivered');
    for (const [host, sink] of sinks) {
      expect(sink.messages).toHaveLength(20);
      expect(sink.messages.every(({ rcptTo }) => rcptTo[0]?.endsWith(`@${host}.example`))).toBe(true);
      expect(new Set(served.get(host)?.clients())).toEqual(new Set(SOURCES.map(({ address4 }) => address4)));
    }
    for (const id of ids.slice(0, 10)) {
      const [attempt] = await insightInto(rig.appliance).attempts(id);
      const source = SOURCES.find(({ name }) => name === attempt?.source);
      expect(attempt).toMatchObject({ local_address: source?.address4, tls: { version: 'TLSv1.3' } });
      expect(Object.values(RECEIVERS)).toContain(attempt?.address);
      expect(attempt?.conversation.opening?.join('\n')).toContain(`> EHLO ${source?.ehlo}`);
    }
  });

  it('mail to a disconnected receiver waits behind the breaker without affecting others, and arrives once', async () => {
    const insight = insightInto(rig.appliance);
    // An open session would wait for its replies.
    await waitFor('the idle sessions have ended', () => served.get('south')?.open() === 0);
    network.link('south', 'down');
    const early = await Promise.all(
      ['anna', 'bert', 'carl'].map((name) => rig.send(`${name}@south.example`)),
    );
    const late = await rig.send('dora@south.example');
    // Both addresses must discover it separately.
    const found = await insight.explained(late, 'circuit_open', 30_000);
    expect(found.advice.map(({ code }) => code)).toEqual(['check_port_25', 'retry_destination']);
    expect(found.chain.at(-1)?.text).toMatch(/mail\.south\.example could not be reached from [ab]/);
    const shut = (await insight.overrides()).map(({ rule, path, reply }) => ({ rule, path, reply }));
    for (const { name } of SOURCES) {
      const path = `${name} > mail.south.example`;
      const reply = expect.stringMatching(/EHOSTUNREACH|no connection within 500 ms/) as string;
      expect(shut).toContainEqual({ rule: 'circuit breaker', path, reply });
    }
    expect(await insight.destination('south.example')).toMatchObject({
      last_reply: { host: 'mail.south.example', code: null },
    });
    const other = await rig.send('emil@north.example');
    await rig.reached(other, 'delivered');
    expect(events(await rig.trail(other))).not.toContain('deferred');

    network.link('south', 'up');
    for (const id of [...early, late]) await rig.reached(id, 'delivered', 30_000);
    const names = sinks
      .get('south')
      ?.messages.slice(20)
      .map(({ rcptTo }) => rcptTo[0]?.split('@')[0]);
    expect(names?.sort()).toEqual(['anna', 'bert', 'carl', 'dora']);
    for (const id of early) {
      const attempts = await insight.attempts(id);
      expect(attempts.at(-1)).toMatchObject({ outcome: 'delivered', address: RECEIVERS.south });
      for (const attempt of attempts.slice(0, -1))
        expect(attempt).toMatchObject({ outcome: 'deferred', phase: 'connect' });
    }
  });
});
