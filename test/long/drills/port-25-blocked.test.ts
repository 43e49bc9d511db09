// Drill: the network blocks outgoing port 25. Mail waits, the operator sees the reason, and each message arrives once when the
// port is open again.
import { afterEach, expect, it } from 'vitest';
import { mailkeel } from '../../support/appliance.js';
import { READ_OFTEN, watch, WATCHED } from '../../support/drill.js';
import { freePort } from '../../support/free-port.js';
import { insightInto } from '../../support/insight.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSilentPeer, type SilentPeer } from '../../support/silent-peer.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { tuned } from '../../support/tuning.js';
import { waitFor } from '../../support/wait.js';

const DOMAINS = ['one.example', 'two.example', 'three.example'];
const hostOf = (index: number): string => `127.0.1.${index + 11}`;
let sinks: SmtpSink[] = [];
let silent: SilentPeer[] = [];
let rig: MailRig;

afterEach(async () => {
  await rig.close();
  for (const one of [...sinks, ...silent]) await one.close();
});

it('is distinguished from dead domains, and nothing is lost or sent twice', async () => {
  const port = await freePort();
  const listen = () =>
    Promise.all(DOMAINS.map((_, at) => startSmtpSink({ keep: true, port, host: hostOf(at) })));
  const arrived = () => sinks.flatMap(({ messages }) => messages.flatMap(({ rcptTo }) => rcptTo));
  sinks = await listen();
  rig = await startMailRig({
    mxPort: port,
    env: {
      ...WATCHED,
      ...tuned({ ...READ_OFTEN, sourcePausesMs: [1000], breakerPausesMs: [300] }),
      MAILKEEL_RETRY_SCHEDULE: '300ms…',
      MAILKEEL_SMTP_CONNECT_TIMEOUT: '300ms',
      MAILKEEL_PREFLIGHT_DOMAINS: DOMAINS.join(','),
      MAILKEEL_OUTBOUND: JSON.stringify({
        sources: [{ name: 'a', address4: '127.0.0.2', ehlo: 'a.mta.example' }],
      }),
    },
  });
  DOMAINS.forEach((domain, at) => {
    rig.dns.set(domain, 'MX', [{ preference: 10, exchange: `mx.${domain}` }]);
    rig.dns.set(`mx.${domain}`, 'A', [hostOf(at)]);
  });
  for (const domain of DOMAINS) await rig.reached(await rig.send(`ann@${domain}`), 'delivered');
  for (const sink of sinks) await sink.close();
  sinks = [];
  silent = await Promise.all(DOMAINS.map((_, at) => startSilentPeer({ host: hostOf(at), port })));

  const ids = await Promise.all(DOMAINS.map((domain) => rig.send(`bob@${domain}`)));
  const seen = watch(rig.appliance);
  await seen.metricIs('mailkeel_breakers_open', 'source="a"', (open) => open > 0);
  await seen.metricIs('mailkeel_active_limits', 'kind="suspend"', (limits) => limits > 0);
  const insight = insightInto(rig.appliance);
  await waitFor('the source to be closed', insight.overrides, (overrides) =>
    overrides.some(({ path, rule }) => path === 'a > *' && rule === 'port 25 blocked'),
  );
  const explained = await insight.explained(ids[0] ?? '', 'source_unreachable');
  expect(explained.advice.find(({ code }) => code === 'check_port_25')?.text).toContain('port 25');
  const doctor = await mailkeel(['doctor', '--json'], rig.appliance.env);
  expect(doctor.code).toBe(9);
  const { checks } = JSON.parse(doctor.stdout) as {
    checks: { name: string; status: string; remedy: string }[];
  };
  expect(checks.find(({ name }) => name === 'port_25')).toMatchObject({
    status: 'fail',
    remedy: expect.stringMatching(/smarthost/i) as string,
  });

  for (const peer of silent) await peer.close();
  silent = [];
  sinks = await listen();
  for (const id of ids) await rig.reached(id, 'delivered', 60_000);
  expect(arrived().sort()).toEqual(DOMAINS.map((domain) => `bob@${domain}`).sort());
  await seen.metricIs('mailkeel_active_limits', 'kind="suspend"', (limits) => limits === 0);
}, 150_000);
