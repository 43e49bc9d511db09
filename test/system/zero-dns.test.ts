// Tests a sub-tenant below the delegated zone that publishes nothing: its first mail arrives seconds after its creation, and the
// receiver, which uses a real resolver, finds valid SPF, DKIM and DMARC.
import { createSocket } from 'node:dgram';
import * as packet from 'dns-packet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import {
  ensureDelegatedDns,
  OUR_ADDRESS,
  OUR_ZONE,
  startDelegatedDns,
  type DelegatedDns,
} from '../support/delegated-dns.js';
import { ensureDmarcJudge, judgeDmarc } from '../support/dmarc-judge.js';
import { mailThrough, QUICK } from '../support/mail-rig.js';
import { startSmtpSink, type SinkMessage, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';
import { layered, tuned } from '../support/tuning.js';

const skipReason = ensureDelegatedDns() ?? ensureDmarcJudge();
if (skipReason !== null) console.warn(`skipped: sub-tenants without DNS: ${skipReason}`);

const FLOOD = 200;
const PER_SECOND = 20;
const EDNS: packet.OptAnswer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: 1_232,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

describe.skipIf(skipReason !== null)('a sub-tenant that publishes nothing', () => {
  const opened: (() => Promise<void>)[] = [];
  let dns: DelegatedDns;
  let sink: SmtpSink;
  let appliance: Appliance;

  beforeAll(async () => {
    dns = await startDelegatedDns();
    opened.push(() => dns.close());
    sink = await startSmtpSink({ keep: true, name: 'mx.receiver.example' });
    opened.push(() => sink.close());
    appliance = await createAppliance({
      process: 'shared',
      env: layered(QUICK, {
        ...dns.env,
        ...dns.zoneEnv,
        MAILKEEL_MX_PORT: String(sink.port),
        ...tuned({ dnsRatePerMinute: PER_SECOND * 60 }),
      }),
    });
    opened.push(() => appliance.close());
    await appliance.start();
  });
  afterAll(async () => {
    for (const close of opened.reverse()) await close();
  });

  /** Creates it and sends immediately; returns the received mail. */
  async function firstMail(label: string): Promise<{ domain: string; mail: SinkMessage; tookMs: number }> {
    const domain = `${label}.${OUR_ZONE}`;
    const begun = Date.now();
    const made = await appliance.api('POST', '/v1/sub-tenants', {
      body: { name: label, sending_domain: domain },
    });
    expect(made.json).toMatchObject({ status: 'verified', dkim: { mode: 'zone' } });
    const { id } = made.json as { id: string };
    const to = `${label}@receiver.example`;
    await mailThrough(appliance, id).send(to, { from: { email: `hello@${domain}` } });
    const mail = await waitFor(
      `the mail of ${label}`,
      () => sink.messages.find(({ rcptTo }) => rcptTo.includes(to)),
      (found) => found !== undefined,
    );
    if (mail === undefined) throw new Error('No mail came.');
    return { domain, mail, tookMs: Date.now() - begun };
  }

  it('sends aligned mail within seconds after its creation', async () => {
    const { domain, mail, tookMs } = await firstMail('fresh');
    console.info(`received ${tookMs} ms after POST /v1/sub-tenants`);
    expect(tookMs).toBeLessThan(15_000);
    expect(mail.mailFrom.endsWith(`@bounce.${domain}`)).toBe(true);
    const judged = await judgeDmarc(mail, dns.port);
    expect(judged, judged.header).toMatchObject({ spf: 'pass', dkim: 'pass', dmarc: 'pass' });
    expect(judged.header).toContain(`header.d=${domain}`);
    expect(judged.header).toContain(`header.from=${domain}`);
  });

  it('has no aligned mail from other senders', async () => {
    const { domain, mail } = await firstMail('forged');
    const raw = Buffer.from(mail.raw.toString('latin1').replace('Your order', 'Their order'), 'latin1');
    const judged = await judgeDmarc({ ...mail, raw, from: '192.0.2.66' }, dns.port);
    expect(judged.spf).toBe('fail');
    expect(judged, judged.header).toMatchObject({ dkim: 'fail', dmarc: 'fail' });
    expect(judged.header).toContain(`header.from=${domain}`);
  });

  it('is found by resolvers during a flood of the name server', async () => {
    const { domain } = await firstMail('flooded');
    const name = `svc1._domainkey.${domain}`;
    const said = await flood(name);
    console.info(`${FLOOD} questions in a flood: ${said.whole} answers, ${said.cut} requests to come by TCP`);
    expect(await dns.resolver.txt(name)).toMatchObject({ kind: 'found' });
    expect(said.whole).toBeGreaterThanOrEqual(PER_SECOND);
    expect(said.whole).toBeLessThan(FLOOD / 2);
    expect(said.cut).toBeGreaterThan(0);
    expect(said.whole + said.cut).toBeLessThan(FLOOD);
  });
});

/** Sends all queries at the same time, from another network than the resolver's; counts responses until no more arrive. */
async function flood(name: string): Promise<{ whole: number; cut: number }> {
  const said = { whole: 0, cut: 0 };
  let lastAt = Date.now();
  const socket = createSocket('udp4');
  socket.on('message', (message) => {
    lastAt = Date.now();
    said[packet.decode(message).flag_tc ? 'cut' : 'whole'] += 1;
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.99.0.1', resolve));
  for (let id = 0; id < FLOOD; id += 1) {
    const query = packet.encode({
      type: 'query',
      id,
      questions: [{ type: 'TXT', name }],
      additionals: [EDNS],
    });
    socket.send(query, 53, OUR_ADDRESS);
  }
  await waitFor('the answers to end', Date.now, (now) => now - lastAt > 1_000);
  socket.close();
  return said;
}
