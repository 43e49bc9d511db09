// A receiver without a TLS policy: encrypted when it can be, in clear when its TLS is broken or refused, and never kept waiting for
// it; unless our own limits for it say that TLS is a must.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startOutboundRig, type OutboundRig } from '../support/outbound-rig.js';
import { startScriptedPeer, type ScriptedPeer } from '../support/scripted-peer.js';
import { startTlsWorld, type TlsWorld } from '../support/tls-world.js';
import { waitUntil } from '../support/wait-until.js';

const IN_CLEAR = `
  < MAIL FROM
  > 250 ok
  < RCPT TO
  > 250 ok
  < DATA
  > 354 go
  body
  > 250 taken`;
const OFFERS = `
  > 220 mx.there.test
  < EHLO
  > 250-mx.there.test
  > 250 STARTTLS`;
const BROKEN = `${OFFERS}
  < STARTTLS
  > 220 go
  raw this is no TLS record
  close`;
/** To somebody who has learnt not to ask for it. */
const NOT_ASKED = `${OFFERS}${IN_CLEAR}
  < QUIT
  > 221 bye
  close`;
const REFUSED = `${OFFERS}
  < STARTTLS
  > 454 4.7.0 TLS not available now`;

let world: TlsWorld;
let rig: OutboundRig;
let peer: ScriptedPeer | null;

beforeEach(async () => {
  peer = null;
  world = await startTlsWorld();
  world.mail('there.test', { 'mx.there.test': '127.0.0.1' });
});

afterEach(async () => {
  await rig.close();
  await peer?.close();
  await world.close();
});

async function start(env: Record<string, string> = {}): Promise<void> {
  rig = await startOutboundRig({ ...world.env, POSTHORN_IDLE_CONNECTION: '1ms', ...env });
  await rig.addSenderDomain('sender.test');
  await rig.outbound.start();
}

async function facing(scripts: string[], env: Record<string, string> = {}): Promise<ScriptedPeer> {
  peer = await startScriptedPeer(scripts);
  await start({ POSTHORN_MX_PORT: String(peer.port), ...env });
  return peer;
}

const reached = (id: number, status: string): Promise<void> =>
  waitUntil(`${id} is ${status}`, async () => (await rig.status(id)) === status);

it('is used without asking who vouches for the certificate, and the record says that nobody did', async () => {
  const { key, cert } = world.certificate({ names: ['elsewhere.test'] });
  const sink = await world.sink({ starttls: { key, cert } });
  await start();
  const id = await rig.send({ to: 'ann@there.test' });
  await reached(id, 'delivered');
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

it('a broken handshake is followed by mail in clear, and is not tried again with the next message', async () => {
  const there = await facing([BROKEN, NOT_ASKED, NOT_ASKED]);
  const first = await rig.send({ to: 'ann@there.test' });
  await reached(first, 'delivered');
  await there.connections[1]?.closed;
  const second = await rig.send({ to: 'ann@there.test' });
  await reached(second, 'delivered');
  expect(there.connections.flatMap(({ surprises }) => surprises)).toEqual([]);
  expect(there.connections).toHaveLength(3);
  for (const id of [first, second]) {
    expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'delivered']);
    expect(await rig.attempts(id)).toMatchObject([{ tls: null, tls_policy: 'opportunistic' }]);
    expect(await rig.entries(id, 'delivered')).toMatchObject([{ tls_version: null }]);
  }
});

it('a refusal of STARTTLS leaves the session as it is', async () => {
  const there = await facing([`${REFUSED}${IN_CLEAR}`]);
  const id = await rig.send({ to: 'ann@there.test' });
  await reached(id, 'delivered');
  expect(there.first().surprises).toEqual([]);
  expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'delivered']);
});

const REQUIRED = JSON.stringify({ sites: { 'there.test': { tls: 'required' } } });

it.each([
  ['is not offered', '> 220 mx.there.test\n< EHLO\n> 250 mx.there.test', /does not offer STARTTLS/],
  ['is refused', REFUSED, /TLS not available now/],
  ['breaks', BROKEN, /./],
])(
  'where our limits require it, mail waits while it %s, and nothing of it is said',
  async (_, script, words) => {
    const there = await facing([script], { POSTHORN_SHAPING: REQUIRED });
    const id = await rig.send({ to: 'ann@there.test' });
    await waitUntil('it was deferred twice', async () => (await rig.entries(id, 'deferred')).length >= 2);
    const [deferred] = await rig.entries(id, 'deferred');
    expect(deferred).toMatchObject({
      category: 'tls',
      remote_host: 'mx.there.test',
      tls_policy: 'configured',
    });
    expect(deferred?.['reply']).toMatch(words);
    for (const { received } of there.connections) expect(received).not.toMatch(/MAIL FROM|ann@there/);
  },
);

it('where our limits require it, any certificate will do', async () => {
  const { key, cert } = world.certificate({ names: ['elsewhere.test'], from: -9, to: -8 });
  await world.sink({ starttls: { key, cert } });
  await start({ POSTHORN_SHAPING: REQUIRED });
  const id = await rig.send({ to: 'ann@there.test' });
  await reached(id, 'delivered');
  expect(await rig.attempts(id)).toMatchObject([{ tls: { verified: false, policy: 'configured' } }]);
});
