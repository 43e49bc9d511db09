// A receiver whose MTA-STS policy is enforced: mail goes to the hosts that it names, over TLS that is theirs beyond doubt, or it waits.
// Never in clear, and never returned for it before its time.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startOutboundRig, type OutboundRig } from '../support/outbound-rig.js';
import { issueCertificate, type IssuedCertificate } from '../support/certificate-chain.js';
import { startTlsWorld, type TlsWorld } from '../support/tls-world.js';
import { waitUntil } from '../support/wait-until.js';

let world: TlsWorld;
let rig: OutboundRig;

beforeEach(async () => {
  world = await startTlsWorld();
  world.mail('there.test', { 'mx.there.test': '127.0.0.1' });
});

afterEach(async () => {
  await rig.close();
  await world.close();
});

async function start(): Promise<void> {
  rig = await startOutboundRig({ ...world.env });
  await rig.addSenderDomain('sender.test');
  await rig.outbound.start();
}

const reached = (id: number, status: string): Promise<void> =>
  waitUntil(`${id} is ${status}`, async () => (await rig.status(id)) === status);
const deferrals = async (id: number, count: number): Promise<Record<string, unknown>[]> => {
  await waitUntil('it was deferred', async () => (await rig.entries(id, 'deferred')).length >= count);
  return rig.entries(id, 'deferred');
};

it('a host that it names, with a good certificate, takes the mail, and the record says how it was known', async () => {
  world.announce('there.test', { mode: 'enforce', mx: ['*.there.test'] });
  const sink = await world.sink({ starttls: world.certificate({ names: ['mx.there.test'] }) });
  await start();
  const id = await rig.send({ to: 'ann@there.test' });
  await reached(id, 'delivered');
  expect(sink.messages[0]?.tls).toBe('TLSv1.3');
  expect(await rig.attempts(id)).toMatchObject([
    { outcome: 'delivered', tls: { version: 'TLSv1.3', verified: true, error: null, policy: 'sts' } },
  ]);
  expect(await rig.entries(id, 'delivered')).toMatchObject([{ tls_verified: true, tls_policy: 'sts' }]);
});

it.each<[string, () => IssuedCertificate | null, RegExp]>([
  ['has expired', () => world.certificate({ names: ['mx.there.test'], from: -9, to: -8 }), /CERT_HAS_EXPIRED/],
  ['is signed by itself', () => issueCertificate({ names: ['mx.there.test'] }), /DEPTH_ZERO_SELF_SIGNED_CERT/],
  ['is for another name', () => world.certificate({ names: ['mx.elsewhere.test'] }), /ALTNAME_INVALID/],
  ['has the name in the wrong place', () => world.certificate({ commonName: 'mx.there.test' }), /subjectAltName|ALTNAME/],
  ['is not shown, as TLS is not offered', () => null, /STARTTLS/],
])('a certificate that %s defers the mail and hears nothing of it', async (_, certificate, words) => {
  world.announce('there.test', { mode: 'enforce', mx: ['mx.there.test'] });
  const shown = certificate();
  const sink = await world.sink(shown ? { starttls: shown } : {});
  await start();
  const id = await rig.send({ to: 'ann@there.test' });
  const [first] = await deferrals(id, 2);
  expect(first).toMatchObject({ category: 'tls', remote_host: 'mx.there.test', tls_policy: 'sts', code: null });
  expect(first?.['reply']).toMatch(words);
  expect(await rig.status(id)).toBe('sent');
  const [attempt] = await rig.attempts(id);
  expect(attempt).toMatchObject({ outcome: 'deferred', tls_policy: 'sts' });
  expect(attempt?.conversation).not.toMatch(/MAIL FROM/);
  expect(sink.messages).toEqual([]);
});

it('the next host, whose TLS is good, takes it at the same attempt', async () => {
  world.mail('there.test', { 'mx1.there.test': '127.0.0.1', 'mx2.there.test': '127.0.0.2' });
  world.announce('there.test', { mode: 'enforce', mx: ['mx1.there.test', 'mx2.there.test'] });
  const first = await world.sink({ starttls: world.certificate({ names: ['mx1.there.test'], from: -9, to: -8 }) });
  const second = await world.sink({
    host: '127.0.0.2',
    starttls: world.certificate({ names: ['mx2.there.test'] }),
  });
  await start();
  const id = await rig.send({ to: 'ann@there.test' });
  await reached(id, 'delivered');
  expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'delivered']);
  expect(first.messages).toEqual([]);
  expect(second.messages).toHaveLength(1);
  expect(await rig.attempts(id)).toMatchObject([{ host: 'mx2.there.test', tls: { verified: true } }]);
});

it('a host that it does not name is not even connected to', async () => {
  world.mail('there.test', { 'mx1.attacker.test': '127.0.0.1', 'mx2.there.test': '127.0.0.2' });
  world.announce('there.test', { mode: 'enforce', mx: ['*.there.test'] });
  const attacker = await world.sink({ starttls: world.certificate({ names: ['mx1.attacker.test'] }) });
  const right = await world.sink({
    host: '127.0.0.2',
    starttls: world.certificate({ names: ['mx2.there.test'] }),
  });
  await start();
  const id = await rig.send({ to: 'ann@there.test' });
  await reached(id, 'delivered');
  expect([attacker.connections(), right.count()]).toEqual([0, 1]);
});

it('where it names none of the hosts, the mail waits', async () => {
  world.announce('there.test', { mode: 'enforce', mx: ['mail.there.test', '*.mx.there.test'] });
  const sink = await world.sink({ starttls: world.certificate({ names: ['mx.there.test'] }) });
  await start();
  const id = await rig.send({ to: 'ann@there.test' });
  const [first] = await deferrals(id, 2);
  expect(first).toMatchObject({ category: 'tls', phase: 'route', enhanced_code: '4.7.5' });
  expect(first?.['reply']).toContain('mx.there.test is not among the hosts of the MTA-STS policy');
  expect(sink.connections()).toBe(0);
});

it('two domains on one mail host, of which one has a policy, share no session', async () => {
  world.mail('strict.test', { 'mx.hoster.test': '127.0.0.1' });
  world.mail('plain.test', { 'mx.hoster.test': '127.0.0.1' });
  world.announce('strict.test', { mode: 'enforce', mx: ['mx.hoster.test'] });
  // Good enough for the one without a policy only.
  const sink = await world.sink({ starttls: world.certificate({ names: ['other.test'] }) });
  await start();
  const plain = [await rig.send({ to: 'ann@plain.test' })];
  await reached(plain[0] ?? 0, 'delivered');
  // The session is still open, and of use for its own domain.
  const strict = await rig.send({ to: 'ann@strict.test' });
  plain.push(await rig.send({ to: 'bob@plain.test' }));
  await deferrals(strict, 1);
  await reached(plain[1] ?? 0, 'delivered');
  expect(sink.messages.map(({ rcptTo }) => rcptTo[0])).toEqual(['ann@plain.test', 'bob@plain.test']);
  expect(await rig.attempts(strict)).toMatchObject([{ outcome: 'deferred', tls_policy: 'sts' }]);
});

it('the trouble of a domain with its policy does not stop the mail of its neighbours on the host', async () => {
  world.mail('strict.test', { 'mx.hoster.test': '127.0.0.1' });
  world.mail('plain.test', { 'mx.hoster.test': '127.0.0.1' });
  world.announce('strict.test', { mode: 'enforce', mx: ['mx.hoster.test'] });
  await world.sink({ starttls: world.certificate({ names: ['other.test'] }) });
  await start();
  const strict = await rig.send({ to: 'ann@strict.test' });
  await deferrals(strict, 3);
  expect(rig.outbound.traffic.overrides()).toEqual([]);
  const plain = await rig.send({ to: 'ann@plain.test' });
  await reached(plain, 'delivered');
  expect(await rig.trail(plain)).toEqual(['queued', 'sending', 'sent', 'delivered']);
});
