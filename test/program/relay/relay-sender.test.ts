// Tests the sender that a key may use: From and the envelope sender must be its own, and the sub-tenant must be within its scope.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTenant, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { lines } from '../../support/raw-mail.js';

let relay: SinkRig;
let live: string;
beforeAll(async () => {
  relay = await startMailRigWithSink({ process: 'shared' });
  live = relay.appliance.keys.live_key;
});
afterAll(() => relay.close());

const TO = 'ann@receiver.example';
const mail = (from: string, ...more: string[]): string =>
  lines(`From: ${from}`, `To: ${TO}`, ...more, '', 'Hi');

it('refuses an unverified From or envelope sender', async () => {
  const foreign = await relay.submit({ to: TO, raw: mail('Eve <eve@elsewhere.example>') });
  expect(foreign.reply).toMatch(
    /^550 5\.7\.1 eve@elsewhere\.example is not a verified sender and is not on a verified domain/,
  );
  const envelope = await relay.submit({
    to: TO,
    raw: mail('orders@shop.example'),
    from: 'eve@elsewhere.example',
  });
  expect(envelope.reply).toMatch(/^550 5\.7\.1 eve@elsewhere\.example is not a verified sender/);
  const none = await relay.submit({ to: TO, raw: lines('To: x@receiver.example', '', 'Hi') });
  expect(none.reply).toMatch(/^554 5\.6\.0 The message has no From field/);
  expect(relay.sink.count()).toBe(0);
});

it('refuses a foreign Sender, Resent-From or Resent-Sender, and a display name with an address', async () => {
  const fields = [
    'Sender: ceo@bank.example',
    'Resent-From: ceo@bank.example',
    'Resent-From: orders@shop.example, ceo@bank.example',
    'Resent-Sender: The Boss <ceo@bank.example>',
  ];
  for (const field of fields) {
    const { reply } = await relay.submit({ to: TO, raw: mail('orders@shop.example', field) });
    expect(reply, field).toMatch(/^550 5\.7\.1 ceo@bank\.example is not a verified sender/);
  }
  const names = ['"ceo@bank.example"', '=?utf-8?q?ceo=40bank.example_=3Cceo=40bank.example=3E?='];
  for (const name of names) {
    const { reply } = await relay.submit({ to: TO, raw: mail(`${name} <orders@shop.example>`) });
    expect(reply, name).toMatch(/^550 5\.7\.1 The display name of orders@shop\.example contains/);
  }
  const unreadable = await relay.submit({ to: TO, raw: mail('orders@shop.example', 'Resent-From: nobody') });
  expect(unreadable.reply).toMatch(/^554 5\.6\.0 /);
  expect(relay.sink.count()).toBe(0);
});

it('sends as the sub-tenant of the From domain with a workspace key', async () => {
  const to = 'unpinned@receiver.example';
  const { reply, ids } = await relay.submit({ to, raw: mail('orders@shop.example'), key: live });
  expect(reply).toMatch(/^250 /);
  await relay.arrived(to);
  const { json } = await relay.appliance.api('GET', `/v1/messages/${ids[0] ?? ''}`);
  expect(json).toMatchObject({ sub_tenant_id: relay.tenantId });
});

it('accepts the null sender, and subdomains of verified domains', async () => {
  const nobody = await relay.submit({
    to: 'null@receiver.example',
    raw: mail('orders@shop.example'),
    from: '',
  });
  expect(nobody.reply).toMatch(/^250 /);
  const arrived = await relay.arrived('null@receiver.example');
  expect(arrived.mailFrom).toMatch(/^b-[0-9a-z]+@bounce\.shop\.example$/);
  const sub = await relay.submit({
    to: 'sub@receiver.example',
    raw: mail('orders@mail.shop.example'),
    from: 'robot@mail.shop.example',
  });
  expect(sub.reply).toMatch(/^250 /);
});

it('finds the sub-tenant in X-Service-Sub-Tenant by either id, only in its own workspace', async () => {
  await relay.appliance.api('PATCH', `/v1/sub-tenants/${relay.tenantId}`, {
    body: { external_id: 'shop-7' },
  });
  for (const [name, to] of [
    [relay.tenantId, 'by-id@receiver.example'],
    ['shop-7', 'by-name@receiver.example'],
  ] as const) {
    const raw = mail('orders@shop.example', `X-Service-Sub-Tenant: ${name}`);
    const { reply, ids } = await relay.submit({ to, raw, key: live });
    expect(reply).toMatch(/^250 /);
    expect((await relay.message(ids[0] ?? ''))['sub_tenant_id']).toBe(relay.tenantId);
    expect((await relay.arrived(to)).raw.toString()).not.toMatch(/x-service-sub-tenant|shop-7/i);
  }
  // Another organization's workspace on the same server.
  const [organization] = [relay.appliance.keys.workspace_id];
  await relay.appliance.query(
    `INSERT INTO workspaces (id, number, organization_id, name, created_at)
     SELECT 'ws_other', 2, organization_id, 'Other', 0 FROM workspaces WHERE id = ?`,
    organization,
  );
  await relay.appliance.query(
    `INSERT INTO sub_tenants (id, workspace_id, name, external_id, sending_domain, status, return_path_ok, created_at, updated_at)
     VALUES ('tnt_other', 'ws_other', 'Other', 'other-1', 'other.example', 'verified', 0, 0, 0)`,
  );
  for (const name of ['tnt_other', 'other-1', 'nobody', 'tnt_nobody']) {
    const raw = mail('orders@other.example', `X-Service-Sub-Tenant: ${name}`);
    const { reply } = await relay.submit({ to: TO, raw, key: live, from: 'robot@other.example' });
    expect(reply, name).toBe('550 5.7.1 The sub-tenant in the request does not exist.');
  }
});

it('restricts a pinned key to its sub-tenant', async () => {
  const second = await addTenant(relay.appliance, relay.dns, 'second.example');
  const other = await relay.submit({
    to: TO,
    raw: mail('orders@second.example', `X-Service-Sub-Tenant: ${second}`),
    from: 'robot@second.example',
  });
  expect(other.reply).toBe('550 5.7.1 The sub-tenant in the request does not exist.');
  const domain = await relay.submit({ to: TO, raw: mail('orders@second.example') });
  expect(domain.reply).toMatch(/^550 5\.7\.1 orders@second\.example is not a verified sender/);
  const own = await relay.submit({
    to: 'own@receiver.example',
    raw: mail('orders@shop.example', `X-Service-Sub-Tenant: ${relay.tenantId}`),
  });
  expect(own.reply).toMatch(/^250 /);
});

it('refuses a paused sub-tenant until it is resumed', async () => {
  await relay.appliance.api('POST', `/v1/sub-tenants/${relay.tenantId}/pause`);
  const paused = await relay.submit({ to: TO, raw: mail('orders@shop.example') });
  expect(paused.reply).toMatch(/^550 5\.7\.1 .*paused/);
  await relay.appliance.api('POST', `/v1/sub-tenants/${relay.tenantId}/resume`);
  const resumed = await relay.submit({ to: 'on@receiver.example', raw: mail('orders@shop.example') });
  expect(resumed.reply).toMatch(/^250 /);
});

it('accepts any envelope sender if the operator allows it', async () => {
  await relay.appliance.end();
  await relay.appliance.start({ MAILKEEL_RELAY_CHECK_SENDER: 'false' });
  const to = 'unchecked@receiver.example';
  const { reply } = await relay.submit({
    to,
    raw: mail('orders@shop.example'),
    from: 'list@elsewhere.example',
  });
  expect(reply).toMatch(/^250 /);
  // Bounces find back to the message all the same.
  expect((await relay.arrived(to)).mailFrom).toMatch(/^b-[0-9a-z]+@bounce\.shop\.example$/);
  const foreign = await relay.submit({ to, raw: mail('eve@elsewhere.example') });
  expect(foreign.reply).toMatch(/^550 5\.7\.1 /);
});
