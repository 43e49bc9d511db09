// Tests a peer that defers at first: at RCPT, as greylisting does, or after the final dot.
import { afterEach, expect, it } from 'vitest';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { isFullSize } from '../../support/run-size.js';
import { startSmtpSink, type SinkMessage, type SmtpSink } from '../../support/smtp-sink.js';

let sink: SmtpSink;
let rig: MailRig;

afterEach(async () => {
  await rig.close();
  await sink.close();
});

// In CI, test/program/outbound/greylisting.test.ts covers it.
it.runIf(isFullSize)('a greylisted message is deferred, retried and delivered', async () => {
  let refusals = 0;
  const reply = '450 4.7.1 Greylisted, please try again';
  sink = await startSmtpSink({ keep: true, onRcpt: () => (refusals++ < 2 ? reply : null) });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
  const id = await rig.send('anna');
  const message = await rig.reached(id, 'delivered');
  const trail = await rig.trail(id);
  expect(events(trail)).toEqual(['queued', 'sending', 'sent', 'deferred', 'deferred', 'delivered']);
  expect(trail[3]?.metadata).toMatchObject({
    attempt: 1,
    phase: 'rcpt',
    category: 'greylist',
    code: 450,
    enhanced_code: '4.7.1',
    remote_host: 'mx.receiver.example',
  });
  expect(trail[4]?.metadata['attempt']).toBe(2);
  expect(message['error']).toBeNull();
  expect(sink.messages).toHaveLength(1);
});

it('every attempt has the same envelope and the same message', async () => {
  const seen: SinkMessage[] = [];
  sink = await startSmtpSink({
    keep: true,
    onData: (message) => {
      seen.push(message);
      return seen.length === 1 ? '451 4.3.0 Try again later' : null;
    },
  });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
  const id = await rig.send('anna');
  await rig.reached(id, 'delivered');
  const [first, second] = seen;
  expect(seen).toHaveLength(2);
  expect(second?.mailFrom).toBe(first?.mailFrom);
  expect(first?.mailFrom).not.toBe('');
  const field = (message: SinkMessage | undefined, name: string) =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(message?.raw.toString() ?? '')?.[1];
  for (const name of ['Message-ID', 'Date', 'Subject']) {
    expect(field(first, name)).toBeTruthy();
    expect(field(second, name)).toBe(field(first, name));
  }
});

it('scheduled mail has the Date of its first attempt, and keeps it', async () => {
  const seen: SinkMessage[] = [];
  sink = await startSmtpSink({
    keep: true,
    onData: (message) => {
      seen.push(message);
      return seen.length === 1 ? '451 4.3.0 Try again later' : null;
    },
  });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
  const { api, query } = rig.appliance;
  const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
  const id = await rig.send('anna', { send_at: inMs(3_600_000) });
  await query('UPDATE messages SET created_at = created_at - 864000000 WHERE public_id = ?', id);
  const moved = await api('PATCH', `/v1/messages/${id}`, { body: { send_at: inMs(500) } });
  expect(moved.status).toBe(200);
  await rig.reached(id, 'delivered');
  const dates = seen.map(({ raw }) => /^Date: (.*)$/m.exec(raw.toString())?.[1] ?? '');
  expect(dates).toHaveLength(2);
  expect(dates[1]).toBe(dates[0]);
  expect(Math.abs(Date.now() - Date.parse(dates[0] ?? ''))).toBeLessThan(3_600_000);
  const raw = await api('GET', `/v1/messages/${id}/raw`);
  expect(raw.text).toBe(seen[1]?.raw.toString());
});
