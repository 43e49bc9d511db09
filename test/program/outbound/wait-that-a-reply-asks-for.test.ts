// Tests "Try again in 60 seconds": the wait that a peer requests applies, within limits, regardless of the schedule.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { tuned } from '../../support/tuning.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let sink: SmtpSink;
let rig: MailRig;
const replies = new Map<string, string>();

beforeAll(async () => {
  sink = await startSmtpSink({ keep: true, onRcpt: (address) => replies.get(address) ?? null });
  rig = await startMailRig({
    process: 'shared',
    mxPort: sink.port,
    env: { MAILKEEL_RETRY_SCHEDULE: '20m…', ...tuned({ greylistRetryMs: 300_000 }) },
  });
});

afterAll(async () => {
  await rig.close();
  await sink.close();
});

it.each([
  ['451 4.7.1 Greylisted, try again in 60 seconds', MINUTE],
  ['450 4.7.1 Please retry in 5 minutes', 5 * MINUTE],
  ['451 4.3.2 retry after 300', 5 * MINUTE],
  ['450 4.7.0 Come back in 00:04:59', 5 * MINUTE - SECOND],
  ['452 4.2.2 Mailbox full, wait at least 2 hours', 2 * HOUR],
  ['451 4.7.1 Try again in 2 seconds', MINUTE],
  ['451 4.7.1 Try again in 90 hours', 4 * HOUR],
])('%s', async (reply, askedMs) => {
  const name = `r${replies.size}`;
  replies.set(`${name}@receiver.example`, reply);
  const id = await rig.send(name);
  const deferred = (await rig.logged(id, 'deferred')).at(-1);
  const waitMs =
    Date.parse(String(deferred?.metadata['next_attempt_at'])) - Date.parse(deferred?.timestamp ?? '');
  // Never earlier, and up to a fifth later, so that retries are spread.
  expect(waitMs).toBeGreaterThanOrEqual(askedMs);
  expect(waitMs).toBeLessThanOrEqual(1.2 * askedMs + 1);
});

it('a number that is not a wait does not change the schedule', async () => {
  replies.set('none@receiver.example', '451 4.3.0 Error 60 in queue file, 300 seen');
  const id = await rig.send('none');
  const deferred = (await rig.logged(id, 'deferred')).at(-1);
  const waitMs =
    Date.parse(String(deferred?.metadata['next_attempt_at'])) - Date.parse(deferred?.timestamp ?? '');
  expect(waitMs).toBeGreaterThanOrEqual(0.8 * 20 * MINUTE);
  expect(waitMs).toBeLessThanOrEqual(1.2 * 20 * MINUTE + 1);
});

it('the wait never exceeds the expiry', async () => {
  replies.set('short@receiver.example', '451 4.7.1 Try again in 60 seconds');
  const expires_at = new Date(Date.now() + 20 * SECOND).toISOString();
  const id = await rig.send('short', { expires_at });
  const deferred = (await rig.logged(id, 'deferred')).at(-1);
  // Its expiry gets a final attempt.
  expect(deferred?.metadata['next_attempt_at']).toBe(expires_at);
});
