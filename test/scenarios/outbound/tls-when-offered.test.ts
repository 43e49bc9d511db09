// Tests a receiver without a TLS policy: mail is encrypted if possible, sent in clear text if its TLS is broken or refused, and
// never delayed for it, unless a limit of the operator requires TLS.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOutboundRig, type OutboundRig } from '../../support/outbound-rig.js';
import { firstOf } from '../../support/run-size.js';
import { startTlsWorld, type TlsWorld } from '../../support/tls-world.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const MAIL = `
  < MAIL FROM
  > 250 ok
  < RCPT TO
  > 250 ok
  < DATA
  > 354 go
  body
  > 250 taken
  < QUIT
  > 221 bye
  close`;
const OFFERS = `
  > 220 mx
  < EHLO
  > 250-mx
  > 250 STARTTLS`;
const IN_CLEAR = `${OFFERS}${MAIL}`;
const BROKEN = `${OFFERS}
  < STARTTLS
  > 220 go
  raw this is no TLS record
  close`;
const REFUSED = `${OFFERS}
  < STARTTLS
  > 454 4.7.0 TLS not available now`;
const NOT_OFFERED = `
  > 220 mx
  < EHLO
  > 250 mx`;

let world: TlsWorld;
let rig: OutboundRig;

beforeAll(async () => {
  world = await startTlsWorld();
  rig = await startOutboundRig({
    ...world.env,
    ...tuned({ idleConnectionMs: 1 }),
    MAILKEEL_SHAPING: JSON.stringify({ sites: { 'wanted.test': { tls: 'required' } } }),
  });
  await rig.addSenderDomain('sender.test');
  await rig.outbound.start();
});

afterAll(async () => {
  await rig.close();
  await world.close();
});

const delivered = (id: number): Promise<boolean> =>
  waitFor(`${id} is delivered`, async () => (await rig.status(id)) === 'delivered');

it('is used without verifying the certificate, as the record says', async () => {
  world.mail('good.test', { 'mx.good.test': '127.0.2.1' });
  const sink = await world.sink({
    host: '127.0.2.1',
    starttls: world.certificate({ names: ['elsewhere.test'] }),
  });
  const id = await rig.send({ to: 'ann@good.test' });
  await delivered(id);
  expect(sink.messages[0]?.tls).toBe('TLSv1.3');
  expect(await rig.attempts(id)).toMatchObject([
    {
      outcome: 'delivered',
      tls: {
        version: 'TLSv1.3',
        cipher: expect.stringMatching(/^TLS_/) as string,
        verified: false,
        error: 'ERR_TLS_CERT_ALTNAME_INVALID',
        policy: 'opportunistic',
      },
    },
  ]);
  expect(await rig.entries(id, 'delivered')).toMatchObject([
    { tls_version: 'TLSv1.3', tls_verified: false, tls_policy: 'opportunistic' },
  ]);
});

it('mail is sent without TLS after a failed handshake, which is not repeated for the next message', async () => {
  world.mail('broken.test', { 'mx.broken.test': '127.0.2.2' });
  const peer = await world.peer([BROKEN, IN_CLEAR, IN_CLEAR], { host: '127.0.2.2' });
  const ids = [];
  for (const connections of [2, 3]) {
    const id = await rig.send({ to: 'ann@broken.test' });
    ids.push(id);
    await delivered(id);
    expect(peer.connections).toHaveLength(connections);
    // The next message gets a new connection.
    await peer.connections.at(-1)?.closed;
  }
  expect(peer.connections.flatMap(({ surprises }) => surprises)).toEqual([]);
  for (const id of ids) {
    expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'delivered']);
    expect(await rig.attempts(id)).toMatchObject([{ tls: null, tls_policy: 'opportunistic' }]);
    expect(await rig.entries(id, 'delivered')).toMatchObject([{ tls_version: null }]);
  }
});

const OLD_TLS = `${OFFERS}
  < STARTTLS
  > 220 go
  starttls
  < EHLO
  > 250 mx${MAIL}`;

const DIES = `${OFFERS}
  < STARTTLS
  > 220 go
  starttls
  < EHLO
  close`;

it('mail is sent without TLS in the second attempt if TLS fails twice after the handshake', async () => {
  world.mail('dying.test', { 'mx.dying.test': '127.0.2.11' });
  const tls = world.certificate({ names: ['mx.dying.test'] });
  const peer = await world.peer([DIES, DIES, IN_CLEAR, IN_CLEAR], { host: '127.0.2.11', tls });
  const id = await rig.send({ to: 'ann@dying.test' });
  await delivered(id);
  expect(peer.connections).toHaveLength(3);
  expect(await rig.attempts(id)).toMatchObject([
    { outcome: 'deferred', phase: 'ehlo' },
    { outcome: 'delivered', tls: null, tls_policy: 'opportunistic' },
  ]);
  await peer.connections.at(-1)?.closed;
  // The next message is immediately sent in clear text.
  await delivered(await rig.send({ to: 'ann@dying.test' }));
  expect(peer.connections).toHaveLength(4);
});

it('TLS that fails once is used again', async () => {
  world.mail('restarting.test', { 'mx.restarting.test': '127.0.2.12' });
  const tls = world.certificate({ names: ['mx.restarting.test'] });
  const peer = await world.peer([DIES, OLD_TLS], { host: '127.0.2.12', tls });
  const id = await rig.send({ to: 'ann@restarting.test' });
  await delivered(id);
  expect(peer.connections).toHaveLength(2);
  expect((await rig.attempts(id)).at(-1)).toMatchObject({ tls: { version: 'TLSv1.3' } });
});

/** A mail host that supports nothing newer than the version. */
function oldHost(version: 'TLSv1' | 'TLSv1.1', host: string) {
  const certificate = world.certificate({ names: ['old.test'] });
  const only = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  return world.peer([OLD_TLS], { host, tls: { ...certificate, ...only } });
}

const OLD_HOSTS = [
  ['TLSv1', 'one', '127.0.2.8'],
  ['TLSv1.1', 'two', '127.0.2.9'],
] as const;
it.each(firstOf(1, OLD_HOSTS))(
  'a host that only supports %s gets it, and the record says so',
  async (version, name, host) => {
    const domain = `${name}.old.test`;
    world.mail(domain, { [`mx.${domain}`]: host });
    const peer = await oldHost(version, host);
    // The first handshake fails, and the next message skips it.
    for (const connections of [2, 3]) {
      const id = await rig.send({ to: `ann@${domain}` });
      await delivered(id);
      expect(peer.connections).toHaveLength(connections);
      expect(await rig.attempts(id)).toMatchObject([{ tls: { version, verified: false } }]);
      expect(await rig.entries(id, 'delivered')).toMatchObject([{ tls_version: version }]);
      await peer.connections.at(-1)?.closed;
    }
  },
);

it('an outdated TLS version does not satisfy limits that require TLS', async () => {
  world.mail('e.wanted.test', { 'mx.e.wanted.test': '127.0.2.10' });
  const peer = await oldHost('TLSv1', '127.0.2.10');
  const id = await rig.send({ to: 'ann@e.wanted.test' });
  await waitFor('it was deferred twice', async () => (await rig.entries(id, 'deferred')).length >= 2);
  for (const { received } of peer.connections) expect(received).not.toContain('MAIL FROM');
});

it('the session continues after STARTTLS is refused', async () => {
  world.mail('refused.test', { 'mx.refused.test': '127.0.2.3' });
  const peer = await world.peer([`${REFUSED}${MAIL}`], { host: '127.0.2.3' });
  const id = await rig.send({ to: 'ann@refused.test' });
  await delivered(id);
  expect(peer.connections.map(({ surprises }) => surprises)).toEqual([[]]);
  expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'delivered']);
});

const WITHOUT_TLS = [
  ['is not offered', 'a', '127.0.2.4', NOT_OFFERED, /does not offer STARTTLS/],
  ['breaks', 'c', '127.0.2.6', BROKEN, /./],
  ['is refused', 'b', '127.0.2.5', REFUSED, /TLS not available now/],
] as const;
it.each(firstOf(2, WITHOUT_TLS))(
  'required TLS defers mail while it %s, and nothing of it is sent',
  async (...row) => {
    const [, name, host, script, words] = row;
    const domain = `${name}.wanted.test`;
    world.mail(domain, { [`mx.${domain}`]: host });
    const peer = await world.peer([script], { host });
    const id = await rig.send({ to: `ann@${domain}` });
    await waitFor('it was deferred twice', async () => (await rig.entries(id, 'deferred')).length >= 2);
    const [deferred] = await rig.entries(id, 'deferred');
    expect(deferred).toMatchObject({
      category: 'tls',
      remote_host: `mx.${domain}`,
      tls_policy: 'configured',
    });
    expect(deferred?.['reply']).toMatch(words);
    for (const { received } of peer.connections) expect(received).not.toMatch(/MAIL FROM|ann@/);
    // It is this domain's TLS and not its reachability.
    expect(rig.outbound.traffic.overrides()).toEqual([]);
  },
);

it('required TLS accepts any certificate', async () => {
  world.mail('d.wanted.test', { 'mx.d.wanted.test': '127.0.2.7' });
  const starttls = world.certificate({ names: ['elsewhere.test'], from: -9, to: -8 });
  await world.sink({ host: '127.0.2.7', starttls });
  const id = await rig.send({ to: 'ann@d.wanted.test' });
  await delivered(id);
  expect(await rig.attempts(id)).toMatchObject([{ tls: { verified: false, policy: 'configured' } }]);
});

it('required TLS is never replaced by a session without it', async () => {
  world.mail('f.wanted.test', { 'mx.f.wanted.test': '127.0.2.13' });
  const tls = world.certificate({ names: ['mx.f.wanted.test'] });
  const peer = await world.peer([DIES], { host: '127.0.2.13', tls });
  const id = await rig.send({ to: 'ann@f.wanted.test' });
  await waitFor('it was deferred three times', async () => (await rig.entries(id, 'deferred')).length >= 3);
  for (const { received } of peer.connections) expect(received).not.toMatch(/MAIL FROM|ann@/);
});
