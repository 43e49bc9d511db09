// Tests how routes choose the way of mail: tenants (by ID and by the operator's own ID), domains and kinds of mail to pools and
// relays.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addTenant, receives, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SinkMessage, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const SOURCES = [
  { name: 'a', address4: '127.0.0.2', ehlo: 'a.mta.example' },
  { name: 'b', address4: '127.0.0.3', ehlo: 'b.mta.example' },
];
const POOLS = { default: ['a'], bulk: ['b'] };

let direct: SmtpSink;
let relay: SmtpSink;
let dataDir: string;
let rig: MailRig;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mailkeel-routes-'));
  direct = await startSmtpSink({ keep: true });
  relay = await startSmtpSink({ keep: true });
});
afterEach(async () => {
  await rig.close();
  await direct.close();
  await relay.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(routes: readonly object[], more: object = {}): Promise<void> {
  const outbound = {
    sources: SOURCES,
    pools: POOLS,
    smarthosts: [{ name: 'relay', url: `smtp://relay.example:${relay.port}` }],
    routes,
    ...more,
  };
  rig = await startMailRig({
    process: 'shared',
    mxPort: direct.port,
    dataDir,
    env: { MAILKEEL_OUTBOUND: JSON.stringify(outbound), ...tuned({ breakerPausesMs: [3_600_000] }) },
  });
  rig.dns.set('relay.example', 'A', ['127.0.0.1']);
}

/** Waits for the mail for the mailbox. */
async function arrival(sink: SmtpSink, mailbox: string): Promise<SinkMessage> {
  const find = () => sink.messages.find(({ rcptTo }) => rcptTo[0]?.startsWith(`${mailbox}@`)) ?? null;
  const found = await waitFor(`mail for ${mailbox}`, find, (message) => message !== null);
  if (!found) throw new Error('it did not come');
  return found;
}

it('a sub-tenant has its own pool, by its id and its external id', async () => {
  await start([{ tenant: 'acme', via: ['pool:bulk'] }]);
  await rig.send('before');
  expect((await arrival(direct, 'before')).ehlo).toBe('a.mta.example');

  // Applies immediately, to a tenant's first mail as well.
  const named = await rig.appliance.api('PATCH', `/v1/sub-tenants/${rig.tenantId}`, {
    body: { external_id: 'acme' },
  });
  expect(named.status).toBe(200);
  const id = await rig.send('named');
  expect(await arrival(direct, 'named')).toMatchObject({ ehlo: 'b.mta.example', from: '127.0.0.3' });
  await rig.reached(id, 'delivered');

  await rig.appliance.api('PATCH', `/v1/sub-tenants/${rig.tenantId}`, { body: { external_id: null } });
  await rig.send('unnamed');
  expect((await arrival(direct, 'unnamed')).ehlo).toBe('a.mta.example');

  await rig.appliance.end();
  const byId = { sources: SOURCES, pools: POOLS, routes: [{ tenant: rig.tenantId, via: ['pool:bulk'] }] };
  await rig.appliance.start({ MAILKEEL_OUTBOUND: JSON.stringify(byId) });
  await rig.send('by-id');
  expect((await arrival(direct, 'by-id')).ehlo).toBe('b.mta.example');
  const other = await addTenant(rig.appliance, rig.dns, 'other.example');
  await rig.send('foreign', { sub_tenant_id: other, from: { email: 'hello@other.example' } });
  expect((await arrival(direct, 'foreign')).ehlo).toBe('a.mta.example');
});

it('domains, message types and tags have routes, and other mail is sent directly', async () => {
  await start([
    { type: ['marketing'], domain: ['receiver.example'], via: ['smarthost:relay'] },
    { domain: ['partner.example', '*.partner.example'], via: ['smarthost:relay'] },
    { type: 'sales', via: ['pool:bulk'] },
    { tag: ['spring', 'autumn'], via: ['pool:bulk'] },
  ]);
  for (const domain of ['partner.example', 'sub.partner.example', 'notpartner.example'])
    receives(rig.dns, domain);
  const { api } = rig.appliance;
  await api('PATCH', '/v1/organization', { body: { postal_address: '1 Main Street, Springfield' } });
  for (const mailbox of ['offer', 'deal']) {
    const body = { email: `${mailbox}@receiver.example`, sub_tenant_id: rig.tenantId };
    await api('POST', '/v1/contacts', { body });
  }
  const toRelay = [
    await rig.send('offer', { type: 'marketing' }),
    await rig.send('ann@partner.example'),
    await rig.send('bob@sub.partner.example'),
  ];
  const directly = [
    await rig.send('receipt'),
    await rig.send('cid@notpartner.example'),
    await rig.send('deal', { type: 'sales' }),
    await rig.send('fan', { tags: ['spring'] }),
  ];
  for (const id of toRelay) expect(await rig.reached(id, 'sent')).toMatchObject({ provider: 'smarthost' });
  for (const id of directly) expect(await rig.reached(id, 'delivered')).toMatchObject({ provider: 'mta' });
  const to = ({ messages }: SmtpSink) => messages.map(({ rcptTo }) => rcptTo[0]?.split('@')[0]).sort();
  expect(to(relay)).toEqual(['ann', 'bob', 'offer']);
  expect(to(direct)).toEqual(['cid', 'deal', 'fan', 'receipt']);
  expect((await arrival(direct, 'deal')).ehlo).toBe('b.mta.example');
  expect((await arrival(direct, 'fan')).ehlo).toBe('b.mta.example');
  expect((await arrival(direct, 'receipt')).ehlo).toBe('a.mta.example');
});

it('sales mail does not wait for the route of marketing mail', async () => {
  await start([{ type: 'marketing', via: ['smarthost:gone'] }], {
    smarthosts: [{ name: 'gone', url: 'smtp://gone.example:1' }],
  });
  rig.dns.set('gone.example', 'A', ['127.0.0.1']);
  const { api } = rig.appliance;
  await api('PATCH', '/v1/organization', { body: { postal_address: '1 Main Street, Springfield' } });
  for (const mailbox of ['offer', 'deal', 'offer2']) {
    const body = { email: `${mailbox}@receiver.example`, sub_tenant_id: rig.tenantId };
    await api('POST', '/v1/contacts', { body });
  }
  const offer = await rig.send('offer', { type: 'marketing' });
  await rig.logged(offer, 'deferred');
  await rig.send('offer2', { type: 'marketing' });
  expect(await rig.reached(await rig.send('deal', { type: 'sales' }), 'delivered')).toMatchObject({
    provider: 'mta',
  });
});
