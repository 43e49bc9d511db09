// Tests the bulk sender rules of large providers, evaluated for mail that was really sent.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addTenant, receives, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { selfSignedCertificate } from '../../support/test-certificate.js';
import { waitFor } from '../../support/wait.js';
import type { BulkRuleCheck, BulkRulesWire } from '../../../src/reputation/bulk-rules/bulk-rules.schema.js';

/** A server without TLS. */
const PLAIN_ADDRESS = '127.0.0.2';
let overTls: SmtpSink;
let plain: SmtpSink;
let rig: MailRig;
let answer: () => string | null;
/** Only for this test, with its own domain. */
let tenantId: string;
let domain: string;
let tests = 0;

/** The recipients at gmail.test have Google's mail servers, and those at hotmail.test have Microsoft's. */
beforeAll(async () => {
  const starttls = selfSignedCertificate('gmail-smtp-in.l.google.com');
  overTls = await startSmtpSink({ keep: true, starttls });
  plain = await startSmtpSink({
    ...{ keep: true, host: PLAIN_ADDRESS, port: overTls.port },
    onData: () => answer(),
  });
  rig = await startMailRig({
    process: 'shared',
    mxPort: overTls.port,
    env: { MAILKEEL_PUBLIC_URL: 'https://mail.example' },
  });
  rig.dns.set('gmail.test', 'MX', [{ preference: 5, exchange: 'gmail-smtp-in.l.google.com' }]);
  rig.dns.set('gmail-smtp-in.l.google.com', 'A', ['127.0.0.1']);
  rig.dns.set('hotmail.test', 'MX', [{ preference: 5, exchange: 'hotmail.olc.protection.outlook.com' }]);
  rig.dns.set('hotmail.olc.protection.outlook.com', 'A', [PLAIN_ADDRESS]);
});
beforeEach(async () => {
  answer = () => null;
  tests += 1;
  domain = `shop${tests}.example`;
  tenantId = await addTenant(rig.appliance, rig.dns, domain);
});
afterAll(async () => {
  await rig.close();
  await overTls.close();
  await plain.close();
});

const send = (to: string, more: Record<string, unknown> = {}): Promise<string> =>
  rig.send(to, { sub_tenant_id: tenantId, from: `orders@${domain}`, ...more });

async function report(headers: Record<string, string> = {}, path?: string): Promise<BulkRulesWire> {
  const answer = await rig.appliance.api('GET', path ?? `/v1/sub-tenants/${tenantId}/bulk-rules`, {
    headers,
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as BulkRulesWire;
}

function checkIn({ data }: BulkRulesWire, rule: string, provider: string): BulkRuleCheck {
  const found = data.find((check) => check.rule === rule && check.provider === provider);
  if (!found) throw new Error(`no check ${rule} of ${provider}`);
  return found;
}

const NEWS = { type: 'marketing', html: '<p>News</p>', text: 'News' };

it('mail that meets all rules passes, with the message that proves it', async () => {
  const order = await send('ann@gmail.test');
  const organization = { postal_address: 'Shop, 1 High Street, Example' };
  await rig.appliance.api('PATCH', '/v1/organization', { body: organization });
  const contact = { email: 'bob@gmail.test', sub_tenant_id: tenantId };
  expect((await rig.appliance.api('POST', '/v1/contacts', { body: contact })).status).toBe(201);
  const news = await send('bob@gmail.test', NEWS);
  await rig.reached(order, 'delivered');
  await rig.reached(news, 'delivered');
  const found = await waitFor(
    'the counters',
    () => report(),
    ({ volume }) => volume.some(({ sent }) => sent === 2),
  );
  expect(found).toMatchObject({ sub_tenant_id: tenantId, domains: [domain], window_days: 30 });
  const google = (rule: string) => checkIn(found, rule, 'google');
  for (const rule of ['spf', 'dkim', 'dmarc', 'alignment', 'tls', 'message_format', 'from_domain']) {
    expect(google(rule), rule).toMatchObject({ status: 'pass' });
  }
  for (const rule of ['one_click_unsubscribe', 'unsubscribe_link']) {
    expect(google(rule), rule).toMatchObject({ status: 'pass', evidence: { messages: 1, message_id: news } });
  }
  expect(google('tls').evidence).toMatchObject({ messages: 2 });
  expect(google('complaint_rate')).toMatchObject({ status: 'unknown' });
  expect(google('complaint_rate').remedy).toContain('Postmaster Tools');
  // No mail was sent to Yahoo.
  expect(checkIn(found, 'tls', 'yahoo')).toMatchObject({ status: 'unknown', evidence: { message_id: null } });
  expect(found.volume).toMatchObject([
    { provider: 'google', sent: 2, threshold: 5_000, is_bulk_sender: false, busiest_day: { sent: 2 } },
    { provider: 'yahoo', threshold: null, is_bulk_sender: true, busiest_day: null },
    { provider: 'microsoft', sent: 0, is_bulk_sender: false },
  ]);
});

it('mail without TLS is a warning for Microsoft, which does not require it, and is never sent to Google', async () => {
  const id = await send('ann@hotmail.test');
  await rig.reached(id, 'delivered');
  const found = await report();
  expect(checkIn(found, 'tls', 'microsoft')).toMatchObject({ status: 'warn', evidence: { message_id: id } });
  expect(checkIn(found, 'tls', 'google')).toMatchObject({ status: 'unknown' });
});

it('a refusal that refers to a rule fails it until the provider accepts mail again', async () => {
  const refusal = `550 5.7.515 Access denied, sending domain ${domain} does not meet the required authentication level`;
  let isRefusing = true;
  answer = () => (isRefusing ? refusal : null);
  const refused = await send('ann@hotmail.test');
  await rig.reached(refused, 'bounced');
  const alignment = async () => checkIn(await report(), 'alignment', 'microsoft');
  expect(await alignment()).toMatchObject({
    status: 'fail',
    remedy: expect.any(String) as string,
    evidence: { messages: 1, message_id: refused, reply: expect.stringContaining('5.7.515') as string },
  });
  isRefusing = false;
  await rig.reached(await send('bob@hotmail.test'), 'delivered');
  expect(await alignment()).toMatchObject({ status: 'warn', evidence: { message_id: refused } });
});

it('a missing record is a warning below the bulk volume, and a failure if everyone is a bulk sender', async () => {
  rig.dns.set(`_dmarc.${domain}`, 'TXT', []);
  await rig.appliance.api('POST', `/v1/sub-tenants/${tenantId}/verify`);
  const found = await report();
  expect(checkIn(found, 'dmarc', 'google')).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('5,000 or more messages per day') as string,
  });
  expect(checkIn(found, 'dmarc', 'yahoo')).toMatchObject({ status: 'fail' });
});

it("each caller sees its own mail: the workspace's, or a pinned key's sub-tenant's", async () => {
  receives(rig.dns, 'receiver.example');
  await rig.reached(await send('anna'), 'delivered');
  const looked = (found: BulkRulesWire) => checkIn(found, 'from_domain', 'google').evidence.messages;
  const own = await report({}, '/v1/bulk-rules');
  expect(own).toMatchObject({ sub_tenant_id: null, domains: [] });
  expect(looked(own)).toBe(0);
  const pinned = await report({ 'x-sub-tenant-id': tenantId }, '/v1/bulk-rules');
  expect(pinned).toMatchObject({ sub_tenant_id: tenantId, domains: [domain] });
  expect(looked(pinned)).toBe(1);
  const other = await rig.appliance.api('POST', '/v1/sub-tenants', {
    body: { name: 'Other', sending_domain: 'other.example' },
  });
  const { id } = other.json as { id: string };
  const hidden = await rig.appliance.api('GET', `/v1/sub-tenants/${tenantId}/bulk-rules`, {
    headers: { 'x-sub-tenant-id': id },
  });
  expect(hidden.status).toBe(404);
});
