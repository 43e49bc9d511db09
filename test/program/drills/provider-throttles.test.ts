// Drill: a receiver answers 421. Mailkeel immediately sends less, reports it, and recovers automatically. A retry attempts
// delivery immediately.
import { afterEach, expect, it } from 'vitest';
import { watch, WATCHED } from '../../support/drill.js';
import { insightInto } from '../../support/insight.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

const REPLY = '421 4.7.28 Our system has detected an unusual rate of mail. Rate limited.';
const PEOPLE = ['a', 'b', 'c', 'd', 'e'];
let sink: SmtpSink;
let rig: MailRig;

afterEach(async () => {
  await rig.close();
  await sink.close();
});

it('the limit is shown with the reply that caused it, and each message arrives once', async () => {
  let isBusy = true;
  sink = await startSmtpSink({ keep: true, onRcpt: () => (isBusy ? REPLY : null) });
  rig = await startMailRig({
    process: 'shared',
    mxPort: sink.port,
    env: { ...WATCHED, MAILKEEL_RETRY_SCHEDULE: '1h' },
  });
  const ids = await Promise.all(PEOPLE.map((name) => rig.send(name)));
  for (const id of ids) await rig.logged(id, 'deferred');
  const seen = watch(rig.appliance);
  await seen.metricIs('mailkeel_active_limits', 'kind="connections"', (limits) => limits === 1);
  expect(await seen.metric('mailkeel_delivery_attempts_total', 'result="deferred"')).toBeGreaterThanOrEqual(
    5,
  );
  const insight = insightInto(rig.appliance);
  expect(await insight.overrides()).toMatchObject([
    { kind: 'connections', site: 'mx.receiver.example', reply: expect.stringContaining('4.7.28') as string },
  ]);
  const { summary, advice } = await insight.explained(ids[0] ?? '', 'deferred_rate_limited');
  expect(summary).toContain("the recipient's mail server is limiting the rate of mail");
  expect(advice.map(({ code }) => code)).toContain('slow_down');

  isBusy = false;
  const retried = await rig.appliance.api('POST', '/v1/queue/destinations/receiver.example/retry');
  expect(retried.status).toBe(200);
  for (const id of ids) await rig.reached(id, 'delivered', 30_000);
  const arrived = sink.messages.flatMap(({ rcptTo }) => rcptTo);
  expect(arrived.sort()).toEqual(PEOPLE.map((name) => `${name}@receiver.example`));
}, 60_000);
