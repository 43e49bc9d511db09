// Tests complaints by mail (RFC 5965): they are trusted with the reporter's own signature, and then the address is suppressed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHttpReceiver, type HttpReceiver } from '../../support/http-receiver.js';
import { events, startMailRigWithSink, type Delivered, type SinkRig } from '../../support/mail-rig.js';
import { deliveryReport, feedbackReport, headerOf, signerOf } from '../../support/returned-mail.js';

const FBL = 'fbl@mta.platform.example';
const REPORTER = 'fbl@provider.example';

let rig: SinkRig;
let webhooks: HttpReceiver;
let signed: (raw: string) => string;

beforeAll(async () => {
  rig = await startMailRigWithSink({ process: 'shared' });
  signed = signerOf(rig.dns, 'provider.example');
  webhooks = await startHttpReceiver();
  const made = await rig.appliance.api('POST', '/v1/webhook-endpoints', {
    body: { url: `${webhooks.url}/hook` },
  });
  expect(made.status).toBe(201);
});

afterAll(async () => {
  await rig.close();
  await webhooks.close();
});

const DELIVERED = ['queued', 'sending', 'sent', 'delivered'];
const statusOf = async (id: string): Promise<unknown> => (await rig.message(id))['status'];

/** The message as a feedback loop shows it: the recipient's name and the return path are redacted. */
function redacted({ mail }: Delivered, name: string): string {
  return mail.raw
    .toString('latin1')
    .replaceAll(`${name}@receiver.example`, 'redacted@receiver.example')
    .replace(/^(?:Reply-To|List-Unsubscribe|DKIM-Signature|Message-ID): .*\r\n(?:[ \t].*\r\n)*/gim, '');
}

async function addContact(name: string): Promise<void> {
  const body = { email: `${name}@receiver.example`, sub_tenant_id: rig.tenantId };
  expect((await rig.appliance.api('POST', '/v1/contacts', { body })).status).toBe(201);
}

async function contactStatus(name: string): Promise<unknown> {
  const { json } = await rig.appliance.api('GET', `/v1/contacts?q=${name}@receiver.example`);
  return (json as { data: { status: string }[] }).data[0]?.status;
}

it.each([
  { name: 'platform', to: FBL, what: "the platform's address for complaints" },
  { name: 'tenant', to: 'abuse@bounce.shop.example', what: "the customer's bounce domain" },
])('a signed one to $what counts: status, trail, suppression, contact, webhook', async ({ name, to }) => {
  await addContact(name);
  const sent = await rig.deliver(name);
  const raw = signed(
    feedbackReport(to, {
      original: sent.mail.raw.toString('latin1'),
      fields: [`Original-Mail-From: <${sent.mail.mailFrom}>`],
    }),
  );
  expect(await rig.comesBack(raw, to, REPORTER)).toMatchObject({
    kind: 'feedback',
    outcome: 'complaint',
    detail: { message: sent.id },
  });
  expect(await statusOf(sent.id)).toBe('complained');
  const trail = await rig.trail(sent.id);
  expect(events(trail)).toEqual([...DELIVERED, 'complained', 'suppressed']);
  expect(trail[4]).toMatchObject({
    actor: 'provider',
    metadata: {
      feedback_type: 'abuse',
      reporter: 'provider.example',
      user_agent: 'Example-FBL/1.0',
      source_ip: '192.0.2.1',
    },
  });
  const email = `${name}@receiver.example`;
  expect(await rig.suppression(email)).toMatchObject({ suppressed: true, reason: 'complaint' });
  expect(await contactStatus(name)).toBe('complained');
  await expect
    .poll(() => webhooks.requests.map(({ rawBody }) => rawBody.toString()), { timeout: 10_000 })
    .toContainEqual(expect.stringMatching(`"message.complained".*"${sent.id}"`));
  await rig.reached(await rig.send(name), 'suppressed');
});

it('a redacted complaint is matched by the reference in the header', async () => {
  const sent = await rig.deliver('ann');
  const raw = signed(feedbackReport(FBL, { original: redacted(sent, 'ann') }));
  expect(raw).not.toContain('ann@');
  expect(await rig.comesBack(raw, FBL, REPORTER)).toMatchObject({
    outcome: 'complaint',
    detail: { message: sent.id },
  });
  expect(await rig.suppression('ann@receiver.example')).toMatchObject({ reason: 'complaint' });
});

it('a complaint to the return path counts, regardless of the part of the message that it contains', async () => {
  const sent = await rig.deliver('bea');
  const to = sent.mail.mailFrom;
  const raw = signed(feedbackReport(to, { original: 'Subject: Your order\r\n' }));
  expect(await rig.comesBack(raw, to, REPORTER)).toMatchObject({
    kind: 'return_path',
    outcome: 'complaint',
  });
  expect(await statusOf(sent.id)).toBe('complained');
});

it('a complaint without a signature, or with an invalid or foreign one, is ignored', async () => {
  const sent = await rig.deliver('carl');
  const report = feedbackReport(FBL, { original: sent.mail.raw.toString('latin1') });
  const outsider = signerOf(rig.dns, 'outsider.example');
  const forged = [report, signed(report).replace('abuse report', 'Abuse report'), outsider(report)];
  for (const raw of forged) {
    expect(await rig.comesBack(raw, FBL, REPORTER)).toMatchObject({
      outcome: 'complaint_untrusted',
      detail: { message: sent.id },
    });
  }
  expect(await statusOf(sent.id)).toBe('delivered');
  expect(events(await rig.trail(sent.id))).toEqual(DELIVERED);
  expect(await rig.suppression('carl@receiver.example')).toMatchObject({ suppressed: false });
});

it.each([
  { type: 'not-spam', outcome: 'complaint_not_spam' },
  { type: 'auth-failure', outcome: 'complaint_other' },
])('a report of $type changes nothing', async ({ type, outcome }) => {
  const sent = await rig.deliver(`told-${type}`);
  const original = sent.mail.raw.toString('latin1');
  const raw = signed(feedbackReport(FBL, { original, type }));
  expect(await rig.comesBack(raw, FBL, REPORTER)).toMatchObject({ outcome });
  expect(await statusOf(sent.id)).toBe('delivered');
  expect(events(await rig.trail(sent.id))).toEqual(DELIVERED);
});

it('a repeated complaint counts once', async () => {
  const sent = await rig.deliver('dora');
  const raw = signed(feedbackReport(FBL, { original: headerOf(sent.mail) }));
  await rig.comesBack(raw, FBL, REPORTER);
  const trail = await rig.trail(sent.id);
  expect(await rig.comesBack(raw, FBL, REPORTER)).toMatchObject({ outcome: 'duplicate' });
  expect(await rig.trail(sent.id)).toEqual(trail);
});

it('a complaint replaces a bounce as the reason, but a bounce does not replace a complaint', async () => {
  await addContact('fritz');
  const sent = await rig.deliver('fritz');
  const bounce = deliveryReport(sent.mail.mailFrom, {
    recipient: 'fritz@receiver.example',
    action: 'failed',
    status: '5.1.1',
    diagnostic: '550 5.1.1 No such user',
  });
  const other = await rig.deliver('fritz');
  await rig.comesBack(bounce, sent.mail.mailFrom);
  expect(await rig.suppression('fritz@receiver.example')).toMatchObject({ reason: 'bounce' });
  expect(await contactStatus('fritz')).toBe('bounced');

  const complaint = signed(feedbackReport(FBL, { original: headerOf(other.mail) }));
  expect(await rig.comesBack(complaint, FBL, REPORTER)).toMatchObject({ outcome: 'complaint' });
  expect(await rig.suppression('fritz@receiver.example')).toMatchObject({ reason: 'complaint' });
  expect(await contactStatus('fritz')).toBe('complained');

  const late = bounce.replaceAll(sent.mail.mailFrom, other.mail.mailFrom);
  expect(await rig.comesBack(late, other.mail.mailFrom)).toMatchObject({ outcome: 'bounced' });
  expect(await rig.suppression('fritz@receiver.example')).toMatchObject({ reason: 'complaint' });
  expect(await contactStatus('fritz')).toBe('complained');
  expect(await statusOf(other.id)).toBe('complained');

  // A bounced message keeps its status, and the complaint about it is recorded once.
  const first = signed(feedbackReport(FBL, { original: headerOf(sent.mail) }));
  expect(await rig.comesBack(first, FBL, REPORTER)).toMatchObject({ outcome: 'complaint' });
  expect(await rig.comesBack(first, FBL, REPORTER)).toMatchObject({ outcome: 'duplicate' });
  expect(await statusOf(sent.id)).toBe('bounced');
  expect(events(await rig.trail(sent.id)).filter((event) => event === 'complained')).toHaveLength(1);
});
