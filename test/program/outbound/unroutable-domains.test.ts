// Tests that the DNS answer about a recipient's domain decides the outcome: bounce, retry later, or not known yet (RFC 5321
// section 5, RFC 7505).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, receives, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { tuned } from '../../support/tuning.js';

let sink: SmtpSink;
let rig: MailRig;

beforeAll(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({
    process: 'shared',
    mxPort: sink.port,
    env: {
      MAILKEEL_DNS_TIMEOUT: '1s',
      ...tuned({ dnsTries: 1 }),
      MAILKEEL_RETRY_SCHEDULE: '300ms,300ms…',
    },
  });
});

afterAll(async () => {
  await rig.close();
  await sink.close();
});

it('a domain with a null MX bounces immediately', async () => {
  rig.dns.set('nomail.example', 'MX', [{ preference: 0, exchange: '.' }]);
  const id = await rig.send('anna@nomail.example');
  const message = await rig.reached(id, 'bounced');
  expect(message['error']).toMatchObject({ type: 'hard', category: 'bad_domain', enhanced_code: '5.1.10' });
  expect(events(await rig.trail(id))).not.toContain('deferred');
  const { code, summary, advice } = await insightInto(rig.appliance).explain(id);
  expect(code).toBe('bounced_null_mx');
  expect(summary).toContain('nomail.example');
  expect(advice.map((one) => one.code)).toContain('check_address');
  // RFC 7505: the domain's own address is not used instead.
  expect(rig.dns.queries.filter(({ name, type }) => name === 'nomail.example' && type === 'A')).toEqual([]);
  expect(sink.connections()).toBe(0);
});

it('an unknown domain bounces, but one lookup does not suppress the address', async () => {
  const id = await rig.send('anna@nowhere.example');
  const message = await rig.reached(id, 'bounced');
  expect(message['error']).toMatchObject({ type: 'hard', category: 'bad_domain', enhanced_code: '5.1.2' });
  const check = await rig.appliance.api('GET', '/v1/suppressions/check?email=anna@nowhere.example');
  expect(check.json).toMatchObject({ suppressed: false });
});

it('a failing DNS server defers the message until it responds', async () => {
  receives(rig.dns, 'flaky.example');
  rig.dns.fault('flaky.example', 'servfail');
  const id = await rig.send('anna@flaky.example');
  const trail = await rig.logged(id, 'deferred');
  expect(trail.at(-1)?.metadata).toMatchObject({ phase: 'route', category: 'network' });
  rig.dns.fault('flaky.example', null);
  await rig.reached(id, 'delivered');
});

it('an unresponsive resolver defers the message, as the trail says', async () => {
  receives(rig.dns, 'silent.example');
  rig.dns.fault('silent.example', 'drop');
  const id = await rig.send('anna@silent.example');
  const trail = await rig.logged(id, 'deferred');
  expect(String(trail.at(-1)?.metadata['reply'])).toMatch(/DNS|resolv|answer|look/i);
  rig.dns.fault('silent.example', null);
  await rig.reached(id, 'delivered');
});
