// Tests mail with the control fields of other services through the relay: they take effect, and no server receives them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailRigWithSink, type SinkRig } from '../support/mail-rig.js';

let relay: SinkRig;
beforeAll(async () => {
  relay = await startMailRigWithSink({ process: 'shared' });
});
afterAll(() => relay.close());

const mail = (to: string, fields: readonly string[]): string =>
  [
    ...['From: Orders <orders@shop.example>', `To: ${to}`, 'Subject: Your order', ...fields],
    ...['', 'Hello.', ''],
  ].join('\r\n');

const CONTROLS = [
  'X-SMTPAPI: {"category": ["smtpapi"],',
  ' "unique_args": {"one": "1"}}',
  'X-PM-Tag: postmark',
  'X-PM-Metadata-Two: 2',
  'X-Mailgun-Tag: mailgun',
  'X-Mailgun-Variables: {"three": "3"}',
  'X-MC-Tags: mandrill',
  'X-SES-MESSAGE-TAGS: kind=ses',
  'Resend-Idempotency-Key: controls-1',
];

it('the message is tagged and described by vendor fields, and sent without them', async () => {
  const to = 'controls@receiver.example';
  const raw = mail(to, [...CONTROLS, 'X-Order: 4711', 'X-MC-Unique: kept']);
  const { reply, ids } = await relay.submit({ raw, to });
  expect(reply).toMatch(/^250 /);
  const { raw: octets } = await relay.arrived(to);
  const header = octets.toString().split('\r\n\r\n', 1)[0] ?? '';
  expect(header).not.toMatch(/^(?:x-smtpapi|x-pm-|x-mailgun-|x-mc-(?!unique)|x-ses-|resend-)/im);
  expect(header).toMatch(/^X-Order: 4711\r$/m);
  expect(header).toMatch(/^X-MC-Unique: kept\r$/m);
  expect(await relay.validSignatures(octets)).toContain('shop.example');
  const { json } = await relay.appliance.api('GET', `/v1/messages/${ids[0] ?? ''}`);
  expect(json).toMatchObject({
    tags: ['smtpapi', 'postmark', 'mailgun', 'mandrill', 'kind:ses'],
    metadata: { one: '1', two: '2', three: '3' },
    idempotency_key: 'controls-1',
  });
  // The idempotency key of Resend: the second submission returns the first message.
  const again = await relay.submit({ raw, to });
  expect(again.ids).toEqual(ids);
});

it('the message waits for the time in X-SMTPAPI', async () => {
  const to = 'later@receiver.example';
  const at = Math.floor(Date.now() / 1000) + 86_400;
  const { ids } = await relay.submit({ raw: mail(to, [`X-SMTPAPI: {"send_at": ${at}}`]), to });
  const { json } = await relay.appliance.api('GET', `/v1/messages/${ids[0] ?? ''}`);
  expect(json).toMatchObject({ status: 'queued', scheduled_at: new Date(at * 1000).toISOString() });
});

it('the message is refused with the name of an unsupported field', async () => {
  const to = 'refused@receiver.example';
  const { reply } = await relay.submit({ raw: mail(to, ['X-SES-SOURCE-ARN: main']), to });
  expect(reply).toMatch(/^550.5\.6\.0 X-SES-SOURCE-ARN is not supported/);
});
