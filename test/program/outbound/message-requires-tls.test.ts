// Tests mail whose sender requires TLS on the whole path (REQUIRETLS): it is sent over verified TLS to a host that supports it,
// or not at all. Also tests the TLS record that every attempt keeps.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startTlsWorld, type TlsWorld } from '../../support/tls-world.js';

const sessionThat = (offer: string): string => `
  > 220 mx
  < EHLO
  > 250-mx
  > 250 STARTTLS
  < STARTTLS
  > 220 go
  starttls
  < EHLO
  > 250-mx
  > 250 ${offer}
  < *
  > 250 ok
  < *
  > 250 ok
  < DATA
  > 354 go
  body
  > 250 2.0.0 taken as Q1
  < QUIT
  > 221 bye
  close`;
const OFFERED = sessionThat('REQUIRETLS');
const NOT_OFFERED = sessionThat('8BITMIME');

let world: TlsWorld;
let rig: MailRig;

beforeAll(async () => {
  world = await startTlsWorld();
  rig = await startMailRig({ process: 'shared', dns: world.dns, env: world.env });
});

afterAll(async () => {
  await rig.close();
  await world.close();
});

/** A domain with a policy that vouches for its hosts. */
function vouched(domain: string, hosts: Record<string, string>): void {
  world.mail(domain, hosts);
  world.announce(domain, { mode: 'enforce', mx: Object.keys(hosts) });
}

const peer = (host: string, name: string, script: string) =>
  world.peer([script], { host, tls: world.certificate({ names: [name] }) });
const attempts = async (id: string) =>
  (await rig.appliance.api('GET', `/v1/messages/${id}/attempts`)).json.data as Record<string, unknown>[];
const explained = async (id: string) =>
  (await rig.appliance.api('GET', `/v1/messages/${id}/explain`)).json as Record<string, unknown>;

it('uses REQUIRETLS for that mail only if the host supports it', async () => {
  vouched('offers.test', { 'mx.offers.test': '127.0.5.1' });
  const there = await peer('127.0.5.1', 'mx.offers.test', OFFERED);
  const id = await rig.send('ann@offers.test', { require_tls: true });
  await rig.reached(id, 'delivered');
  expect(there.first().received).toMatch(/^MAIL FROM:<\S+@\S+>(?: \S+)* REQUIRETLS/m);

  const [attempt] = await attempts(id);
  expect(attempt).toMatchObject({
    outcome: 'delivered',
    host: 'mx.offers.test',
    tls: { version: 'TLSv1.3', cipher: expect.any(String) as string, verified: true, policy: 'sts' },
  });
  const conversation = JSON.stringify(attempt?.['conversation']);
  expect(conversation).toContain('REQUIRETLS');
  expect(conversation).toContain('taken as Q1');
  const trail = await rig.trail(id);
  expect(trail.at(-1)).toMatchObject({
    event: 'delivered',
    metadata: { tls_version: 'TLSv1.3', tls_verified: true, tls_policy: 'sts' },
  });
});

it('is returned with 5.7.30 without sending its content if the host does not support it', async () => {
  vouched('lacks.test', { 'mx.lacks.test': '127.0.5.2' });
  const there = await peer('127.0.5.2', 'mx.lacks.test', NOT_OFFERED);
  const id = await rig.send('ann@lacks.test', { require_tls: true });
  const message = await rig.reached(id, 'bounced');
  expect(message['error']).toMatchObject({ type: 'soft', category: 'tls', enhanced_code: '5.7.30' });
  expect(there.first().received).not.toMatch(/MAIL FROM|ann@/);
  expect(await explained(id)).toMatchObject({ code: 'bounced_require_tls' });
});

it('is sent to the next host that supports it', async () => {
  vouched('second.test', { 'mx1.second.test': '127.0.5.3', 'mx2.second.test': '127.0.5.4' });
  const first = await peer('127.0.5.3', 'mx1.second.test', NOT_OFFERED);
  const second = await peer('127.0.5.4', 'mx2.second.test', OFFERED);
  const id = await rig.send('ann@second.test', { require_tls: true });
  await rig.reached(id, 'delivered');
  expect(events(await rig.trail(id))).toEqual(['queued', 'sending', 'sent', 'delivered']);
  expect(first.first().received).not.toMatch(/MAIL FROM/);
  expect(second.first().received).toMatch(/REQUIRETLS/);
});

it('is returned without a connection if the mail hosts are not authenticated', async () => {
  world.mail('unvouched.test', { 'mx.unvouched.test': '127.0.5.5' });
  const there = await peer('127.0.5.5', 'mx.unvouched.test', OFFERED);
  const id = await rig.send('ann@unvouched.test', { require_tls: true });
  const message = await rig.reached(id, 'bounced');
  expect(message['error']).toMatchObject({ category: 'tls', enhanced_code: '5.7.30' });
  expect(String((message['error'] as Record<string, unknown>)['message'])).toContain(
    'neither DNSSEC nor MTA-STS',
  );
  expect(there.connections).toHaveLength(0);
  expect(await explained(id)).toMatchObject({ code: 'bounced_require_tls' });
});

it('without the requirement the same host accepts it', async () => {
  world.mail('plain.test', { 'mx.plain.test': '127.0.5.6' });
  const there = await peer('127.0.5.6', 'mx.plain.test', NOT_OFFERED);
  const id = await rig.send('ann@plain.test');
  await rig.reached(id, 'delivered');
  expect(there.first().received).not.toMatch(/REQUIRETLS/);
});
