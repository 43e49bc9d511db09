// Tests a receiver whose MTA-STS policy is enforced: mail is sent only to the hosts that it names, over verified TLS, or it
// waits. It is never sent in clear text, and never bounced early because of the policy.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOutboundRig, type OutboundRig } from '../../support/outbound-rig.js';
import { issueCertificate, type IssuedCertificate } from '../../support/certificate-chain.js';
import { firstOf } from '../../support/run-size.js';
import { startTlsWorld, type TlsWorld } from '../../support/tls-world.js';
import { waitFor } from '../../support/wait.js';

const TAKES_ONE_AND_WAITS = `
  > 220 mx
  < EHLO
  > 250 mx
  < MAIL FROM
  > 250 ok
  < RCPT TO
  > 250 ok
  < DATA
  > 354 go
  body
  > 250 taken`;
const REFUSES = `
  > 220 mx
  < EHLO
  > 250-mx
  > 250 STARTTLS
  < STARTTLS
  > 454 4.7.0 TLS not available now`;

let world: TlsWorld;
let rig: OutboundRig;

beforeAll(async () => {
  world = await startTlsWorld();
  rig = await startOutboundRig({ ...world.env });
  await rig.addSenderDomain('sender.test');
  await rig.outbound.start();
});

afterAll(async () => {
  await rig.close();
  await world.close();
});

const delivered = (id: number): Promise<boolean> =>
  waitFor(`${id} is delivered`, async () => (await rig.status(id)) === 'delivered');
const deferrals = async (id: number, count: number): Promise<Record<string, unknown>[]> => {
  await waitFor('it was deferred', async () => (await rig.entries(id, 'deferred')).length >= count);
  return rig.entries(id, 'deferred');
};

it('a named host with a valid certificate gets the mail, and the record says how it was verified', async () => {
  world.mail('good.test', { 'mx.good.test': '127.0.3.1' });
  world.announce('good.test', { mode: 'enforce', mx: ['*.good.test'] });
  const starttls = world.certificate({ names: ['mx.good.test'] });
  const sink = await world.sink({ host: '127.0.3.1', starttls });
  const id = await rig.send({ to: 'ann@good.test' });
  await delivered(id);
  expect(sink.messages[0]?.tls).toBe('TLSv1.3');
  expect(await rig.attempts(id)).toMatchObject([
    { outcome: 'delivered', tls: { version: 'TLSv1.3', verified: true, error: null, policy: 'sts' } },
  ]);
  expect(await rig.entries(id, 'delivered')).toMatchObject([{ tls_verified: true, tls_policy: 'sts' }]);
});

const BAD: [
  what: string,
  name: string,
  certificate: (host: string) => IssuedCertificate | null,
  words: RegExp,
][] = [
  ['has expired', 'a', (host) => world.certificate({ names: [host], from: -9, to: -8 }), /CERT_HAS_EXPIRED/],
  ['is for another name', 'c', () => world.certificate({ names: ['mx.other.test'] }), /ALTNAME_INVALID/],
  ['is not to be had, as TLS is not offered', 'e', () => null, /STARTTLS/],
  ['is signed by itself', 'b', (host) => issueCertificate({ names: [host] }), /DEPTH_ZERO_SELF_SIGNED_CERT/],
  [
    'has its name in the wrong place',
    'd',
    (host) => world.certificate({ commonName: host }),
    /subjectAltName/,
  ],
];

it.each(firstOf(3, BAD))('a certificate that %s defers the mail, without revealing it', async (...row) => {
  const [, name, certificate, words] = row;
  const domain = `${name}.bad.test`;
  const host = `127.0.3.1${name.charCodeAt(0) - 97}`;
  world.mail(domain, { [`mx.${domain}`]: host });
  world.announce(domain, { mode: 'enforce', mx: [`mx.${domain}`] });
  const starttls = certificate(`mx.${domain}`);
  const sink = await world.sink({ host, ...(starttls ? { starttls } : {}) });
  const id = await rig.send({ to: `ann@${domain}` });
  const [first] = await deferrals(id, 2);
  expect(first).toMatchObject({
    category: 'tls',
    remote_host: `mx.${domain}`,
    tls_policy: 'sts',
    code: null,
  });
  expect(first?.['reply']).toMatch(words);
  expect(await rig.status(id)).toBe('sent');
  const [attempt] = await rig.attempts(id);
  expect(attempt).toMatchObject({ outcome: 'deferred', tls_policy: 'sts' });
  expect(attempt?.conversation).not.toMatch(/MAIL FROM/);
  expect(sink.messages).toEqual([]);
});

it('the next host with valid TLS gets it in the same attempt', async () => {
  world.mail('two.test', { 'mx1.two.test': '127.0.3.2', 'mx2.two.test': '127.0.3.3' });
  world.announce('two.test', { mode: 'enforce', mx: ['mx1.two.test', 'mx2.two.test'] });
  const expired = world.certificate({ names: ['mx1.two.test'], from: -9, to: -8 });
  const first = await world.sink({ host: '127.0.3.2', starttls: expired });
  const good = world.certificate({ names: ['mx2.two.test'] });
  const second = await world.sink({ host: '127.0.3.3', starttls: good });
  const id = await rig.send({ to: 'ann@two.test' });
  await delivered(id);
  expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'delivered']);
  expect([first.count(), second.count()]).toEqual([0, 1]);
  expect(await rig.attempts(id)).toMatchObject([{ host: 'mx2.two.test', tls: { verified: true } }]);
});

it('a host that is not named is not connected to', async () => {
  world.mail('lied.test', { 'mx1.attacker.test': '127.0.3.4', 'mx2.lied.test': '127.0.3.5' });
  world.announce('lied.test', { mode: 'enforce', mx: ['*.lied.test'] });
  const attacker = await world.sink({
    host: '127.0.3.4',
    starttls: world.certificate({ names: ['mx1.attacker.test'] }),
  });
  const right = await world.sink({
    host: '127.0.3.5',
    starttls: world.certificate({ names: ['mx2.lied.test'] }),
  });
  const id = await rig.send({ to: 'ann@lied.test' });
  await delivered(id);
  expect([attacker.connections(), right.count()]).toEqual([0, 1]);
});

it('mail waits if no host is named', async () => {
  world.mail('none.test', { 'mx.none.test': '127.0.3.6' });
  world.announce('none.test', { mode: 'enforce', mx: ['mail.none.test', '*.mx.none.test'] });
  const starttls = world.certificate({ names: ['mx.none.test'] });
  const sink = await world.sink({ host: '127.0.3.6', starttls });
  const id = await rig.send({ to: 'ann@none.test' });
  const [first] = await deferrals(id, 2);
  expect(first).toMatchObject({ category: 'tls', phase: 'route', enhanced_code: '4.7.5' });
  expect(first?.['reply']).toContain('mx.none.test is not among the hosts of the MTA-STS policy');
  expect(sink.connections()).toBe(0);
});

it('two domains on one mail host, one with a policy, share no session and no failures', async () => {
  world.mail('strict.test', { 'mx.hoster.test': '127.0.3.7' });
  world.mail('plain.test', { 'mx.hoster.test': '127.0.3.7' });
  world.announce('strict.test', { mode: 'enforce', mx: ['mx.hoster.test'] });
  // Only acceptable without a policy.
  const sink = await world.sink({
    host: '127.0.3.7',
    starttls: world.certificate({ names: ['other.test'] }),
  });
  const first = await rig.send({ to: 'ann@plain.test' });
  await delivered(first);
  // The session is still open, and of use for its own domain.
  const strict = await rig.send({ to: 'ann@strict.test' });
  await deferrals(strict, 3);
  const second = await rig.send({ to: 'bob@plain.test' });
  await delivered(second);
  expect(await rig.trail(second)).toEqual(['queued', 'sending', 'sent', 'delivered']);
  expect(sink.messages.map(({ rcptTo }) => rcptTo[0])).toEqual(['ann@plain.test', 'bob@plain.test']);
  for (const attempt of await rig.attempts(strict)) {
    expect(attempt).toMatchObject({ outcome: 'deferred', tls_policy: 'sts' });
  }
  expect(rig.outbound.traffic.overrides()).toEqual([]);
});

it('a refused STARTTLS defers immediately, even while another domain has a session', async () => {
  world.mail('refused.test', { 'mx.neighbours.test': '127.0.3.8' });
  world.mail('neighbour.test', { 'mx.neighbours.test': '127.0.3.8' });
  world.announce('refused.test', { mode: 'enforce', mx: ['mx.neighbours.test'] });
  const peer = await world.peer([TAKES_ONE_AND_WAITS, REFUSES], { host: '127.0.3.8' });
  await delivered(await rig.send({ to: 'ann@neighbour.test' }));
  const id = await rig.send({ to: 'ann@refused.test' });
  const [first] = await deferrals(id, 2);
  expect(first).toMatchObject({ category: 'tls', phase: 'starttls', code: 454, enhanced_code: '4.7.0' });
  expect(peer.connections.flatMap(({ surprises }) => surprises)).toEqual([]);
  expect(rig.outbound.traffic.overrides()).toEqual([]);
});
