// Tests a peer that does not know the mailbox: the message bounces, and the address is suppressed.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { isFullSize } from '../../support/run-size.js';
import { startSmtpSink, type SmtpSink, type SmtpSinkOptions } from '../../support/smtp-sink.js';

let sink: SmtpSink;
let rig: MailRig;

const peer: SmtpSinkOptions = { keep: true };

beforeAll(async () => {
  sink = await startSmtpSink(peer);
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
});
/** A retried test gets new mailboxes. */
let tries = 0;
beforeEach(() => {
  tries += 1;
  peer.onRcpt = () => null;
  peer.onData = () => null;
});
afterAll(async () => {
  await rig.close();
  await sink.close();
});

it('an unknown mailbox bounces hard and is suppressed, so the next message is not sent', async () => {
  const asked: string[] = [];
  peer.onRcpt = (address) => {
    asked.push(address);
    return address.startsWith('gone') ? '550 5.1.1 User unknown' : null;
  };
  const first = await rig.send(`gone${tries}`);
  const bounced = await rig.reached(first, 'bounced');
  expect(bounced['error']).toMatchObject({
    type: 'hard',
    category: 'invalid_recipient',
    code: 550,
    enhanced_code: '5.1.1',
    message: expect.stringContaining('User unknown') as string,
    remote_host: 'mx.receiver.example',
    occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
  });
  const check = await rig.appliance.api('GET', `/v1/suppressions/check?email=gone${tries}@receiver.example`, {
    headers: { 'x-sub-tenant-id': rig.tenantId },
  });
  expect(check.json).toMatchObject({ suppressed: true, reason: 'bounce' });

  const second = await rig.send(`Gone${tries}@Receiver.example`);
  await rig.reached(second, 'suppressed');
  expect(events(await rig.trail(second))).toEqual(['queued', 'suppressed']);
  expect(asked).toEqual([`gone${tries}@receiver.example`]);

  const other = await rig.send('anna');
  await rig.reached(other, 'delivered');
});

async function isSuppressed(email: string): Promise<boolean> {
  const check = await rig.appliance.api('GET', `/v1/suppressions/check?email=${email}`, {
    headers: { 'x-sub-tenant-id': rig.tenantId },
  });
  return (check.json as { suppressed: boolean }).suppressed;
}

it('an address that is refused after DATA is suppressed, too', async () => {
  peer.onData = () => '550 5.1.1 User unknown';
  const id = await rig.send(`late${tries}`);
  const bounced = await rig.reached(id, 'bounced');
  expect(bounced['error']).toMatchObject({ type: 'hard', category: 'invalid_recipient' });
  expect(await isSuppressed(`late${tries}@receiver.example`)).toBe(true);
});

it('a refusal of the sender does not suppress the address', async () => {
  peer.onRcpt = () => '550 5.1.0 MAIL FROM address rejected';
  const id = await rig.send(`well${tries}`);
  const bounced = await rig.reached(id, 'bounced');
  expect(bounced['error']).toMatchObject({ type: 'soft', category: 'policy' });
  expect(await isSuppressed(`well${tries}@receiver.example`)).toBe(false);
});

it('a missing mailbox without an enhanced code is suppressed on the second day', async () => {
  peer.onRcpt = () => '550 No such user here';
  const email = `doubtful${tries}@receiver.example`;
  for (let sent = 0; sent < 2; sent += 1) {
    const id = await rig.send(email);
    const bounced = await rig.reached(id, 'bounced');
    expect(bounced['error']).toMatchObject({ type: 'hard', category: 'invalid_recipient' });
    expect(await isSuppressed(email)).toBe(false);
  }
  await rig.appliance.query(
    'UPDATE messages SET updated_at = updated_at - 86400000 WHERE to_email = ?',
    email,
  );
  await rig.reached(await rig.send(email), 'bounced');
  expect(await isSuppressed(email)).toBe(true);
});

// In CI, test/program/outbound/refused-at-each-phase.test.ts covers it.
it.runIf(isFullSize)('a refusal of the content bounces soft without suppression', async () => {
  peer.onData = () => '554 5.7.1 Message rejected as spam';
  const id = await rig.send('carl');
  const bounced = await rig.reached(id, 'bounced');
  expect(bounced['error']).toMatchObject({ type: 'soft', code: 554 });
  const list = await rig.appliance.api('GET', '/v1/suppressions');
  const { data } = list.json as { data: { email: string }[] };
  expect(data.map(({ email }) => email)).not.toContain('carl@receiver.example');
});

it('an address on the suppression list gets no mail until it is removed', async () => {
  const { api } = rig.appliance;
  const email = `bert${tries}@receiver.example`;
  await api('POST', '/v1/suppressions', { body: { email } });
  const blocked = await rig.send(email);
  await rig.reached(blocked, 'suppressed');
  const lifted = await api('DELETE', `/v1/suppressions/${email}`);
  expect(lifted.status).toBe(200);
  const free = await rig.send(email);
  await rig.reached(free, 'delivered');
  expect(sink.messages.filter(({ rcptTo }) => rcptTo.includes(email))).toHaveLength(1);
});
