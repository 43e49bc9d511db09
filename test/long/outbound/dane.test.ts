// Tests receivers with TLSA records in signed DNS (DANE): mail is only sent to the server that the records identify, and is
// deferred if they cannot be verified.
import { createHash } from 'node:crypto';
import type { Answer, TlsaData } from 'dns-packet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS, extractPublicKey } from '../../../src/lib/tls-policy/index.js';
import { issueCertificate, type IssuedCertificate } from '../../support/certificate-chain.js';
import { startOutboundRig, type OutboundRig } from '../../support/outbound-rig.js';
import { startSignedDns, type SignedDns, type ToldReply } from '../../support/signed-dns.js';
import { firstOf, isFullSize } from '../../support/run-size.js';
import { startTlsWorld, type TlsWorld } from '../../support/tls-world.js';
import { waitFor } from '../../support/wait.js';

let world: TlsWorld;
let signed: SignedDns;
let rig: OutboundRig;
/** Answers of the validating resolver, by type and name; it knows no others. */
const told = new Map<string, ToldReply>();

beforeAll(async () => {
  world = await startTlsWorld();
  told.set('NS .', authentic([{ name: '.', type: 'NS', ttl: 60, data: 'ns.root' }]));
  signed = await startSignedDns(
    ({ name, type }) =>
      told.get(`${type} ${name}`) ?? { authentic: true, rcode: told.has(`A ${name}`) ? 0 : 3 },
  );
  rig = await startOutboundRig({
    ...world.env,
    MAILKEEL_DANE: 'true',
    MAILKEEL_DANE_RESOLVER: signed.server,
  });
  await rig.addSenderDomain('sender.test');
  await rig.outbound.start();
});

afterAll(async () => {
  await rig.close();
  await signed.close();
  await world.close();
});

const authentic = (answers: Answer[]): ToldReply => ({ authentic: true, answers });
/** `3 1 1` of a certificate. */
const keyOf = ({ der }: IssuedCertificate): TlsaData => ({
  usage: 3,
  selector: 1,
  matchingType: 1,
  certificate: createHash('sha256')
    .update(extractPublicKey(der) ?? '')
    .digest(),
});

/** Both resolvers know the domain's mail hosts, and the validating one says that they are signed. */
function signedMail(domain: string, hosts: Record<string, string>): void {
  world.mail(domain, hosts);
  const mx = Object.keys(hosts).map((exchange, i): Answer => ({
    name: domain,
    type: 'MX',
    ttl: 60,
    data: { preference: 10 * (i + 1), exchange },
  }));
  told.set(`MX ${domain}`, authentic(mx));
  for (const [name, data] of Object.entries(hosts)) {
    told.set(`A ${name}`, authentic([{ name, type: 'A', ttl: 60, data }]));
  }
}

function tlsa(host: string, ...records: TlsaData[]): void {
  const name = `_${world.port}._tcp.${host}`;
  told.set(`TLSA ${name}`, authentic(records.map((data): Answer => ({ name, type: 'TLSA', ttl: 60, data }))));
}

const delivered = (id: number): Promise<boolean> =>
  waitFor(`${id} is delivered`, async () => (await rig.status(id)) === 'delivered');
const deferred = async (id: number): Promise<Record<string, unknown>> => {
  await waitFor('it was deferred twice', async () => (await rig.entries(id, 'deferred')).length >= 2);
  return (await rig.entries(id, 'deferred'))[0] ?? {};
};

it("the matching server gets the mail, regardless of its certificate's issuer", async () => {
  const certificate = issueCertificate({ names: ['any.name.test'], from: -9, to: -8 });
  signedMail('match.test', { 'mx.match.test': '127.0.1.1' });
  tlsa('mx.match.test', keyOf(certificate));
  await world.sink({ host: '127.0.1.1', starttls: certificate });
  const id = await rig.send({ to: 'ann@match.test' });
  await delivered(id);
  expect(await rig.attempts(id)).toMatchObject([
    { outcome: 'delivered', tls: { verified: true, error: null, policy: 'dane' } },
  ]);
  expect(await rig.entries(id, 'delivered')).toMatchObject([{ tls_verified: true, tls_policy: 'dane' }]);
});

it('another server gets nothing, and the next host is tried', async () => {
  const right = issueCertificate({ names: ['mx2.mixed.test'] });
  signedMail('mixed.test', { 'mx1.mixed.test': '127.0.1.2', 'mx2.mixed.test': '127.0.1.3' });
  tlsa('mx1.mixed.test', keyOf(issueCertificate({ names: ['mx1.mixed.test'] })));
  tlsa('mx2.mixed.test', keyOf(right));
  const wrong = await world.sink({
    host: '127.0.1.2',
    starttls: world.certificate({ names: ['mx1.mixed.test'] }),
  });
  await world.sink({ host: '127.0.1.3', starttls: right });
  const id = await rig.send({ to: 'ann@mixed.test' });
  await delivered(id);
  expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'delivered']);
  expect(await rig.attempts(id)).toMatchObject([{ host: 'mx2.mixed.test', tls: { verified: true } }]);
  expect(wrong.messages).toEqual([]);
});

it('mail waits without a matching server, even if public authorities vouch for one', async () => {
  signedMail('wrong.test', { 'mx.wrong.test': '127.0.1.4' });
  tlsa('mx.wrong.test', keyOf(issueCertificate({ names: ['mx.wrong.test'] })));
  const sink = await world.sink({
    host: '127.0.1.4',
    starttls: world.certificate({ names: ['mx.wrong.test'] }),
  });
  const id = await rig.send({ to: 'ann@wrong.test' });
  expect(await deferred(id)).toMatchObject({
    category: 'tls',
    tls_policy: 'dane',
    reply: 'no certificate of the server matches a TLSA record',
  });
  expect(sink.messages).toEqual([]);
});

it('a server without STARTTLS gets nothing', async () => {
  signedMail('clear.test', { 'mx.clear.test': '127.0.1.5' });
  tlsa('mx.clear.test', keyOf(issueCertificate({ names: ['mx.clear.test'] })));
  const sink = await world.sink({ host: '127.0.1.5' });
  const id = await rig.send({ to: 'ann@clear.test' });
  expect(await deferred(id)).toMatchObject({ category: 'tls', tls_policy: 'dane' });
  expect(sink.messages).toEqual([]);
});

it('unusable records require TLS without verification', async () => {
  const certificate = issueCertificate({ names: ['any.name.test'] });
  signedMail('unusable.test', { 'mx.unusable.test': '127.0.1.6' });
  tlsa('mx.unusable.test', { ...keyOf(certificate), usage: 1 });
  const sink = await world.sink({ host: '127.0.1.6', starttls: certificate });
  const id = await rig.send({ to: 'ann@unusable.test' });
  await delivered(id);
  expect(sink.messages[0]?.tls).toBe('TLSv1.3');
  expect(await rig.attempts(id)).toMatchObject([{ tls: { verified: false, policy: 'tlsa_unusable' } }]);
});

it.runIf(isFullSize)('unusable records keep mail from a server without TLS', async () => {
  signedMail('unusable-clear.test', { 'mx.unusable-clear.test': '127.0.1.7' });
  tlsa('mx.unusable-clear.test', { ...keyOf(issueCertificate({})), usage: 1 });
  const sink = await world.sink({ host: '127.0.1.7' });
  const id = await rig.send({ to: 'ann@unusable-clear.test' });
  expect(await deferred(id)).toMatchObject({ category: 'tls', tls_policy: 'tlsa_unusable' });
  expect(sink.messages).toEqual([]);
});

const UNVERIFIED = [
  ['the TLSA records', 'bogus-tlsa.test', '127.0.1.8', `TLSA`],
  ['the MX records', 'bogus-mx.test', '127.0.1.9', 'MX'],
] as const;
it.each(firstOf(1, UNVERIFIED))('invalid %s prevent any connection', async (_, domain, address, type) => {
  signedMail(domain, { [`mx.${domain}`]: address });
  const name = type === 'MX' ? domain : `_${world.port}._tcp.mx.${domain}`;
  told.set(`${type} ${name}`, { rcode: 2 });
  const sink = await world.sink({ host: address });
  const id = await rig.send({ to: `ann@${domain}` });
  const first = await deferred(id);
  expect(first).toMatchObject({ category: 'tls', phase: 'route', enhanced_code: '4.7.5' });
  expect(first['reply']).toMatch(/DNSSEC: .*servfail/);
  expect(sink.connections()).toBe(0);
});

it('an unsigned domain gets its mail as before', async () => {
  world.mail('unsigned.test', { 'mx.unsigned.test': '127.0.1.10' });
  told.set('MX unsigned.test', {
    answers: [
      { name: 'unsigned.test', type: 'MX', ttl: 60, data: { preference: 10, exchange: 'mx.unsigned.test' } },
    ],
  });
  await world.sink({ host: '127.0.1.10' });
  const id = await rig.send({ to: 'ann@unsigned.test' });
  await delivered(id);
  expect(await rig.attempts(id)).toMatchObject([{ tls: null, tls_policy: 'opportunistic' }]);
});

it('signed hosts without TLSA records get mail as before', async () => {
  signedMail('none.test', { 'mx.none.test': '127.0.1.11' });
  await world.sink({ host: '127.0.1.11' });
  const id = await rig.send({ to: 'ann@none.test' });
  await delivered(id);
  expect(await rig.attempts(id)).toMatchObject([{ tls: null, tls_policy: 'opportunistic' }]);
});

it('sessions are counted under the name of the records', async () => {
  // Writes the last counts.
  await rig.outbound.stop();
  const today = Math.floor(Date.now() / DAY_MS);
  const counts = async (domain: string): Promise<object[]> => rig.store.tlsReports.resultsOf(today, domain);
  expect(await counts('match.test')).toMatchObject([
    { policyType: 'tlsa', policy: { mx: ['mx.match.test'] }, resultType: 'success', sessions: 1 },
  ]);
  expect(await counts('wrong.test')).toMatchObject([
    { policyType: 'tlsa', policy: { mx: ['mx.wrong.test'] }, resultType: 'validation-failure' },
  ]);
  expect(await counts('unusable.test')).toMatchObject([{ policyType: 'tlsa', resultType: 'tlsa-invalid' }]);
  expect(await counts('bogus-tlsa.test')).toMatchObject([
    { policyType: 'tlsa', resultType: 'dnssec-invalid' },
  ]);
});
