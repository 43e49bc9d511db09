// Tests a relayed message in the API: its content, its bytes, its files, its proof, and resending it to the same recipient.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, fieldOf, lines } from '../../support/raw-mail.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import type { SinkMessage } from '../../support/smtp-sink.js';

const TO = 'ann@receiver.example';
const FILE = Buffer.from(Array.from({ length: 10_000 }, (_, i) => (i * 7) % 256));
const RAW = lines(
  'From: "The Shop" <orders@shop.example>',
  `To: Ann <${TO}>`,
  'Cc: bob@receiver.example',
  'Reply-To: Desk <desk@elsewhere.example>',
  'Subject: Your order',
  'Message-ID: <order-7@shop.example>',
  'Date: Sat, 21 Nov 2026 09:00:00 +0100',
  'X-Order: 7',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html',
  '',
  '<p>It is on its way. <a href="https://shop.example/7">See</a></p>',
  '--b',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename="../../r=C3=A9.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  FILE.toString('base64').replace(/.{76}/g, '$&\r\n'),
  '--b--',
);

let relay: SinkRig;
let id: string;
let arrived: SinkMessage;
beforeAll(async () => {
  relay = await startMailRigWithSink({ process: 'shared' });
  const { ids } = await relay.submit({ to: TO, raw: RAW, mail: 'ENVID=x', rcpt: 'NOTIFY=NEVER' });
  id = ids[0] ?? '';
  await relay.reached(id, 'delivered');
  arrived = await relay.arrived(TO);
});
afterAll(() => relay.close());

async function octets(path: string): Promise<Buffer> {
  const answer = await fetch(`${relay.appliance.url}${path}`, {
    headers: { authorization: `Bearer ${relay.key}` },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

it('is shown as decoded header and parts', async () => {
  expect(await relay.message(id)).toMatchObject({
    to: TO,
    reply_to: { email: 'desk@elsewhere.example', name: 'Desk' },
    direction: 'outbound',
    track_opens: false,
  });
  const { json } = await relay.appliance.api('GET', `/v1/messages/${id}/content`);
  expect(json).toMatchObject({
    subject: 'Your order',
    to: [{ email: TO, name: 'Ann' }],
    cc: [{ email: 'bob@receiver.example', name: null }],
  });
  expect(json.html).toContain('https://shop.example/7');
  const { json: listed } = await relay.appliance.api('GET', '/v1/messages?q=order&to=ann@receiver.example');
  expect(listed.data).toMatchObject([{ id }]);
});

it('is returned octet for octet as sent, with its files', async () => {
  expect((await octets(`/v1/messages/${id}/raw`)).equals(arrived.raw)).toBe(true);
  const [file] = (await relay.message(id))['attachments'] as Record<string, unknown>[];
  expect(file).toMatchObject({
    content_type: 'application/pdf',
    size: FILE.length,
    sha256: createHash('sha256').update(FILE).digest('hex'),
  });
  expect((await octets(`/v1/messages/${id}/attachments/0`)).equals(FILE)).toBe(true);
});

it('has a valid proof, and webhook events', async () => {
  const { json: proof } = await relay.appliance.api('GET', `/v1/messages/${id}/proof`);
  expect(proof.bundle).toBeTruthy();
  const body = { bundle: proof.bundle as unknown, signature: proof.signature as unknown };
  const verified = await relay.appliance.api('POST', '/v1/proof/verify', { body });
  expect(verified.json).toMatchObject({ valid: true });
  const { json: feed } = await relay.appliance.api('GET', '/v1/events?limit=20');
  const seen = (feed.data as { event: string; data: { id: string } }[]).filter(({ data }) => data.id === id);
  expect(seen.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['message.delivered', 'message.sent', 'message.queued']),
  );
});

it('can be resent, identical except for its own identifiers', async () => {
  const { status, json } = await relay.appliance.api('POST', `/v1/messages/${id}/resend`);
  expect(status).toBe(202);
  await relay.reached(json.id as string, 'delivered');
  const again = await relay.arrived(TO, 2);
  expect(bodyOf(again.raw).equals(bodyOf(arrived.raw))).toBe(true);
  for (const name of ['Message-ID', 'Date', 'X-Order', 'Reply-To', 'Content-Type', 'To', 'Cc']) {
    expect(fieldOf(again.raw, name), name).toBe(fieldOf(arrived.raw, name));
  }
  expect(fieldOf(again.raw, 'X-Service-Ref')).not.toBe(fieldOf(arrived.raw, 'X-Service-Ref'));
  expect(again.mailFrom).not.toBe(arrived.mailFrom);
  expect(await relay.validSignatures(again.raw)).toContain('shop.example');
  const { json: files } = await relay.appliance.api('GET', `/v1/messages/${String(json.id)}`);
  expect(files.attachments).toMatchObject([{ size: FILE.length }]);
});
