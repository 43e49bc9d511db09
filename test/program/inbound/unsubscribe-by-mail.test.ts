// Tests that a person who writes to the address in List-Unsubscribe (RFC 2369) gets nothing more, including queued mail.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { events, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { postMail } from '../../support/post-mail.js';
import { deliveryReport } from '../../support/returned-mail.js';
import { fieldOf } from '../../support/raw-mail.js';

let rig: SinkRig;
/** Mailboxes that are greylisted for now. */
const later = new Set<string>();

beforeAll(async () => {
  rig = await startMailRigWithSink({
    process: 'shared',
    sink: { onRcpt: (address) => (later.has(address) ? '451 4.7.1 Try again later' : null) },
  });
  const body = { postal_address: 'Ring 1, 50667 Köln' };
  expect((await rig.appliance.api('PATCH', '/v1/organization', { body })).status).toBe(200);
});

afterAll(() => rig.close());

/** Sends a marketing message to a contact of this name; returns the address for unsubscribing. */
async function advertised(name: string) {
  const body = { email: `${name}@receiver.example`, sub_tenant_id: rig.tenantId };
  expect((await rig.appliance.api('POST', '/v1/contacts', { body })).status).toBe(201);
  const sent = await rig.deliver(name, { type: 'marketing' });
  const address = /<mailto:([^?>]+)\?subject=unsubscribe>/.exec(
    fieldOf(sent.mail.raw, 'List-Unsubscribe') ?? '',
  )?.[1];
  return { ...sent, leave: address ?? '' };
}

const wish = (from: string, to: string, more: readonly string[] = []): string =>
  [`From: <${from}>`, `To: <${to}>`, 'Subject: unsubscribe', ...more, '', ''].join('\r\n');

it('a mail to the address ends all mail, in list, contact and trail', async () => {
  const { id, leave } = await advertised('ann');
  expect(leave).toMatch(/^unsubscribe\+[0-9a-z]{43}@reply\.shop\.example$/);
  const from = 'ann@receiver.example';
  expect(await rig.comesBack(wish(from, leave), leave, from)).toMatchObject({
    kind: 'unsubscribe',
    outcome: 'unsubscribe',
    detail: { message: id },
  });
  expect(await rig.suppression('ann@receiver.example')).toMatchObject({
    suppressed: true,
    reason: 'unsubscribe',
  });
  const { json } = await rig.appliance.api('GET', '/v1/contacts?q=ann@receiver.example');
  expect(json).toMatchObject({ data: [{ status: 'unsubscribed' }] });
  const trail = await rig.trail(id);
  expect(events(trail).at(-1)).toBe('unsubscribed');
  expect(trail.at(-1)).toMatchObject({ actor: 'recipient', metadata: { by: 'mail' } });
  expect(await rig.message(id)).toMatchObject({ status: 'delivered' });
  await rig.reached(await rig.send('ann'), 'suppressed');
  expect(rig.sink.messages.filter(({ rcptTo }) => rcptTo[0] === from)).toHaveLength(1);
});

it('queued and scheduled messages are no longer sent', async () => {
  const address = 'bea@receiver.example';
  const { leave } = await advertised('bea');
  later.add(address);
  const waiting = await rig.send('bea', { type: 'marketing' });
  await rig.logged(waiting, 'deferred');
  const scheduled = await rig.send('bea', {
    type: 'marketing',
    send_at: new Date(Date.now() + 3_000).toISOString(),
  });
  await rig.comesBack(wish(address, leave), leave, address);
  later.delete(address);
  await rig.reached(waiting, 'suppressed');
  await rig.reached(scheduled, 'suppressed');
  expect(rig.sink.messages.filter(({ rcptTo }) => rcptTo[0] === address)).toHaveLength(1);
});

it('a second mail changes nothing, unless the contact has resubscribed', async () => {
  const address = 'carl@receiver.example';
  const { id, leave } = await advertised('carl');
  await rig.comesBack(wish(address, leave), leave, address);
  const trail = await rig.trail(id);
  expect(await rig.comesBack(wish(address, leave), leave, address)).toMatchObject({ outcome: 'duplicate' });
  expect(await rig.trail(id)).toEqual(trail);
  const path = `/v1/suppressions/${address}?sub_tenant_id=${rig.tenantId}`;
  expect((await rig.appliance.api('DELETE', path)).status).toBeLessThan(300);
  expect(await rig.suppression(address)).toMatchObject({ suppressed: false });
  expect(await rig.comesBack(wish(address, leave), leave, address)).toMatchObject({ outcome: 'unsubscribe' });
  expect(await rig.suppression(address)).toMatchObject({ suppressed: true, reason: 'unsubscribe' });
});

it('the content and the sender of the mail do not matter', async () => {
  const { leave } = await advertised('dora');
  const raw = ['From: <other@elsewhere.example>', 'Auto-Submitted: auto-generated', '', ''].join('\r\n');
  expect(await rig.comesBack(raw, leave, 'other@elsewhere.example')).toMatchObject({
    outcome: 'unsubscribe',
  });
  const { leave: silent } = await advertised('emil');
  expect(await rig.comesBack('\r\n', silent, 'emil@receiver.example')).toMatchObject({
    outcome: 'unsubscribe',
  });
});

it('reports and automatic replies do not unsubscribe', async () => {
  const { leave } = await advertised('fritz');
  const report = deliveryReport(leave, {
    recipient: 'fritz@receiver.example',
    action: 'delayed',
    status: '4.4.1',
  });
  expect(await rig.comesBack(report, leave)).toMatchObject({ outcome: 'automatic' });
  const away = wish('fritz@receiver.example', leave, ['Auto-Submitted: auto-replied']);
  expect(await rig.comesBack(away, leave)).toMatchObject({ outcome: 'automatic' });
  expect(await rig.suppression('fritz@receiver.example')).toMatchObject({ suppressed: false });
});

it('an unsigned address is refused during the SMTP session', async () => {
  const { leave } = await advertised('gina');
  const forged = leave.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@'));
  const raw = wish('gina@receiver.example', forged);
  const posting = { port: rig.port(), from: 'gina@receiver.example', to: forged, raw };
  expect(await postMail(posting)).toMatchObject({ code: 550 });
});
