// Tests the effect of X-Service fields in submitted mail, and that no recipient sees them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fieldOf, lines } from '../../support/raw-mail.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';

let relay: SinkRig;
beforeAll(async () => {
  relay = await startMailRigWithSink({ process: 'shared' });
});
afterAll(() => relay.close());

const mail = (...fields: string[]): string => lines('From: orders@shop.example', ...fields, '', 'Hi');
const submit = (to: string | string[], ...fields: string[]) => relay.submit({ to, raw: mail(...fields) });

it('tags and describes messages for search and webhooks', async () => {
  const to = 'tagged@receiver.example';
  const { ids } = await submit(
    to,
    'X-Service-Tag: order, =?utf-8?q?gr=C3=BC=C3=9Fe?=',
    'x-service-tag: order',
    'X-SERVICE-TAG: vip',
    'X-Service-Metadata: {"order": 7, "nested":',
    '\t{"a": [1, null]}}',
    'X-Service-Metadata-Customer: Ann & Co',
    'X-Service-Priority: high',
  );
  const message = await relay.reached(ids[0] ?? '', 'delivered');
  expect(message).toMatchObject({
    tags: ['order', 'grüße', 'vip'],
    metadata: { order: 7, nested: { a: [1, null] }, customer: 'Ann & Co' },
    priority: 'high',
    type: 'transactional',
  });
  const { json } = await relay.appliance.api('GET', '/v1/messages?tag=vip');
  expect((json.data as { id: string }[]).map(({ id }) => id)).toEqual(ids);
  const { raw } = await relay.arrived(to);
  expect(raw.toString()).not.toMatch(/x-service-(?!ref)/i);
  expect(raw.toString()).not.toContain('Ann & Co');
});

it.each([
  ['X-Service-Metadata: {"a":', /X-Service-Metadata is not a JSON object/],
  ['X-Service-Type: newsletter', /X-Service-Type must be one of transactional/],
  ['X-Service-Tga: a', /X-Service-Tga is unknown/],
  ['X-Service-Send-At: soon', /X-Service-Send-At /],
  [`X-Service-Tag: ${'a'.repeat(200)}`, /128/],
])('refuses %s with an explanation', async (field, words) => {
  const { reply } = await submit('nobody@receiver.example', field);
  expect(reply).toMatch(/^550 5\.6\.0 /);
  expect(reply).toMatch(words);
});

it('schedules messages and sets their expiry', async () => {
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const end = new Date(Date.now() + 7_200_000).toISOString();
  const { ids } = await submit(
    'later@receiver.example',
    `X-Service-Send-At: ${at}`,
    `X-Service-Expires-At: ${end}`,
  );
  const [id = ''] = ids;
  expect(await relay.message(id)).toMatchObject({ status: 'queued', scheduled_at: at });
  const canceled = await relay.appliance.api('POST', `/v1/messages/${id}/cancel`);
  expect(canceled.json).toMatchObject({ status: 'canceled' });
});

it('sends a mail once if it is submitted twice with one key, even for several recipients', async () => {
  const to = ['once@receiver.example', 'too@receiver.example'];
  const raw = mail('To: once@receiver.example', 'X-Service-Idempotency-Key: order-7', 'Subject: a');
  const first = await relay.submit({ to, raw });
  const again = await relay.submit({ to, raw });
  expect(again).toEqual(first);
  expect(first.ids).toHaveLength(2);
  const other = await relay.submit({ to, raw: raw.replace('Subject: a', 'Subject: b') });
  expect(other.reply).toMatch(/^550 5\.5\.4 /);
  const fewer = await relay.submit({ to: to.slice(0, 1), raw });
  expect(fewer.reply).toMatch(/^550 5\.5\.4 /);
  // Two identical ones at the same time become one.
  const twin = raw.replace('order-7', 'order-8');
  const [a, b] = await Promise.all([relay.submit({ to, raw: twin }), relay.submit({ to, raw: twin })]);
  expect(a).toEqual(b);
  for (const address of to) await relay.arrived(address, 2);
  const { json } = await relay.appliance.api('GET', '/v1/messages?to=once@receiver.example');
  expect(json.data).toHaveLength(2);
  expect(json.data[0]).toMatchObject({ idempotency_key: 'order-8' });
});

it('sends marketing mail only to contacts, with an unsubscribe link', async () => {
  const to = 'reader@receiver.example';
  const field = 'X-Service-Type: marketing';
  const outsider = await submit(to, field);
  expect(outsider.reply).toMatch(/^550 5\.7\.1 reader@receiver\.example is not a contact/);
  await relay.appliance.api('PATCH', '/v1/organization', {
    body: { postal_address: '1 Main Street, Springfield' },
  });
  await relay.appliance.api('POST', '/v1/contacts', { body: { email: to, sub_tenant_id: relay.tenantId } });
  const { reply, ids } = await submit(to, field, 'List-Unsubscribe: <https://old.example/u>');
  expect(reply).toMatch(/^250 /);
  const { raw } = await relay.arrived(to);
  expect(fieldOf(raw, 'List-Unsubscribe')).toMatch(
    /^<http:\/\/[^>]+\/u\/[^>]+>, <mailto:unsubscribe\+[^>]+@reply\.shop\.example[^>]*>$/,
  );
  expect(fieldOf(raw, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  expect(raw.toString()).not.toContain('old.example');
  expect(await relay.validSignatures(raw)).toContain('shop.example');
  expect(await relay.reached(ids[0] ?? '', 'delivered')).toMatchObject({ type: 'marketing' });
  const link = /<(http[^>]+)>/.exec(fieldOf(raw, 'List-Unsubscribe') ?? '')?.[1] ?? '';
  const left = await fetch(new URL(new URL(link).pathname, relay.appliance.url), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect([200, 202]).toContain(left.status);
  const after = await submit(to, field);
  expect(after.reply).toMatch(/^250 /);
  await relay.reached(after.ids[0] ?? '', 'suppressed');
});
