// Tests a peer that greylists: it accepts a message if the same address, sender and recipient return after a while.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SinkMessage, type SmtpSink } from '../../support/smtp-sink.js';
import { tuned } from '../../support/tuning.js';

const RETRY_MS = 400;
const SOURCES = {
  sources: [
    { name: 'a', address4: '127.0.0.2', ehlo: 'a.mta.example' },
    { name: 'b', address4: '127.0.0.3', ehlo: 'b.mta.example' },
    { name: 'c', address4: '127.0.0.4', ehlo: 'c.mta.example' },
  ],
};

let sink: SmtpSink;
let rig: MailRig;
let tries: SinkMessage[];

beforeEach(async () => {
  tries = [];
  sink = await startSmtpSink({
    keep: true,
    onRcpt: (address, { from, ehlo, mailFrom }) => {
      tries.push({ from, ehlo, mailFrom, rcptTo: [address], raw: Buffer.alloc(0), tls: null });
      const before = tries.filter((other) => keyOf(other) === keyOf(tries.at(-1))).length;
      return before === 1 ? '451 4.7.1 Greylisting in action, please come back later' : null;
    },
  });
  rig = await startMailRig({
    process: 'shared',
    mxPort: sink.port,
    env: {
      MAILKEEL_OUTBOUND: JSON.stringify(SOURCES),
      ...tuned({ greylistRetryMs: RETRY_MS }),
      MAILKEEL_RETRY_SCHEDULE: '20ms…',
    },
  });
});

afterEach(async () => {
  await rig.close();
  await sink.close();
});

const keyOf = (message: SinkMessage | undefined): string =>
  `${message?.from} ${message?.mailFrom} ${message?.rcptTo.join()}`;

it('is retried from the same address with the same name, sender and recipient, once, after the delay', async () => {
  const names = Array.from({ length: 12 }, (_, number) => `r${number}`);
  const ids = await Promise.all(names.map((name) => rig.send(name)));
  for (const id of ids) {
    await rig.reached(id, 'delivered');
    const trail = await rig.trail(id);
    expect(events(trail)).toEqual(['queued', 'sending', 'sent', 'deferred', 'delivered']);
    const deferred = trail[3];
    expect(deferred?.metadata).toMatchObject({
      category: 'greylist',
      phase: 'rcpt',
      code: 451,
      enhanced_code: '4.7.1',
      reply: '4.7.1 Greylisting in action, please come back later',
    });
    const waitMs =
      Date.parse(String(deferred?.metadata['next_attempt_at'])) - Date.parse(deferred?.timestamp ?? '');
    // Five to ten minutes by default, milliseconds in this test.
    expect(waitMs).toBeGreaterThanOrEqual(RETRY_MS);
    expect(waitMs).toBeLessThanOrEqual(2 * RETRY_MS + 1);
    const attempts = await insightInto(rig.appliance).attempts(id);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['deferred', 'delivered']);
    expect(attempts[1]?.source).toBe(attempts[0]?.source);
    expect(attempts[1]?.local_address).toBe(attempts[0]?.local_address);
  }
  expect(tries).toHaveLength(24);
  for (const name of names) {
    const [first, second] = tries.filter(({ rcptTo }) => rcptTo[0]?.startsWith(`${name}@`));
    expect(second).toEqual(first);
  }
  // The chance that all twelve use the same source is one in 3^11.
  expect(new Set(tries.map(({ from }) => from)).size).toBeGreaterThan(1);
});

it('is explained while it lasts', async () => {
  await rig.appliance.end();
  await rig.appliance.start(tuned({ greylistRetryMs: 3_600_000 }));
  const id = await rig.send('anna');
  await rig.logged(id, 'deferred');
  const found = await insightInto(rig.appliance).explained(id, 'deferred_greylisted');
  expect(found.summary).toContain('greylisting');
  expect(found.advice.map(({ code }) => code)).toEqual(['wait']);
  const destination = await insightInto(rig.appliance).destination('receiver.example');
  expect(destination).toMatchObject({ state: 'deferred', depth: 1 });
});
