import { createSecureContext } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttemptResult } from '../../src/outbound/outcome/attempt.rules.js';
import type { PlannedHost } from '../../src/outbound/deliver/delivery-plan.rules.js';
import { systemClock } from '../../src/lib/runtime/index.js';
import {
  createWeakTls,
  SmtpConnector,
  type Connected,
  type Connector,
} from '../../src/outbound/deliver/connector.js';
import { PathPool } from '../../src/outbound/deliver/path-pool.js';
import type { Prepared, ReadyMail } from '../../src/outbound/deliver/prepare.js';
import { PrepareSlots } from '../../src/outbound/deliver/prepare-slots.js';
import { Site, type SiteJob } from '../../src/outbound/deliver/site.js';
import { startScriptedPeer, type ScriptedPeer } from '../support/scripted-peer.js';
import { waitFor } from '../support/wait.js';

const HOSTS: PlannedHost[] = [
  {
    host: 'mx.there.test',
    preference: 10,
    addresses: ['127.0.0.1'],
    need: { kind: 'opportunistic' },
    policy: { type: 'no-policy-found', domain: 'there.test', strings: [], mx: [] },
    testing: null,
    isUnreported: true,
  },
];
const NOBODY: Connected = {
  kind: 'unreachable',
  phase: 'connect',
  error: 'refused',
  host: '',
  address: '',
  tlsPolicy: 'opportunistic',
  conversation: [],
  times: null,
  isOurs: false,
  isSilent: false,
};
const HELLO = '> 220 hi\n< EHLO\n> 250 peer';
const TO_DATA = '< MAIL\n> 250 ok\n< RCPT\n> 250 ok\n< DATA\n> 354 go\nbody';
const TAKE = `${TO_DATA}\n> 250 taken`;

let peer: ScriptedPeer | null = null;
let results: AttemptResult[] = [];
let faults: unknown[] = [];
let signals: string[] = [];

beforeEach(() => {
  results = [];
  faults = [];
  signals = [];
});

afterEach(async () => {
  await peer?.close();
  peer = null;
});

function connectorTo(port: number): Connector {
  return new SmtpConnector({
    port,
    ehloName: 'mta.sender.test',
    localAddress4: null,
    localAddress6: null,
    timeouts: {},
    secureContext: createSecureContext(),
    oldContext: createSecureContext(),
    weakTls: createWeakTls(),
    smarthost: { mode: 'none', verify: false, auth: null },
    onTlsResult: () => undefined,
  });
}

function siteWith(connector: Connector, connections = 1, waitMs = 10_000): Site {
  const limits = { connections, connectionRate: null, messagesPerConnection: 50, idleMs: 5_000 };
  return siteOf(connector, new PathPool(limits, systemClock), waitMs);
}

function siteOf(
  connector: Connector,
  pool: PathPool,
  waitMs: number,
  slots = new PrepareSlots(systemClock),
): Site {
  const toSignals = signals;
  return new Site({
    connector,
    pool,
    slots,
    provider: null,
    clock: systemClock,
    waitMs,
    onSession: () => undefined,
    onSignal: (signal) => toSignals.push(signal.kind),
    onAsk: () => pool.free(),
    onEmpty: () => undefined,
    onFault: (error) => faults.push(error),
  });
}

const READY: ReadyMail = {
  kind: 'ready',
  mailFrom: 'b@sender.test',
  rcptTo: 'ann@there.test',
  bytes: Buffer.from('Subject: hi\r\n\r\nhi\r\n'),
  datedAt: 0,
  signedAt: 0,
  dsn: null,
  eightBit: null,
};
const ready = (): Promise<ReadyMail> => Promise.resolve(READY);

function job(prepare: () => Promise<Prepared> = ready): SiteJob {
  return {
    messageId: 1,
    queueId: 1,
    dueAt: 0,
    rank: 1,
    since: systemClock(),
    requireTls: false,
    prepare,
    beforeDot: () => Promise.resolve(true),
    finish: (result) => results.push(result),
    returns: 0,
  };
}

const broken = (): Promise<Prepared> => Promise.reject(new Error('disk I/O error'));

describe('a site', () => {
  it('holds a message whose preparation failed with an internal error, and sends the next one', async () => {
    peer = await startScriptedPeer(`${HELLO}\n${TAKE}\nstall`);
    const site = siteWith(connectorTo(peer.port));
    site.enqueue(job(broken), HOSTS);
    site.enqueue(job(), HOSTS);
    await waitFor('both have ended', () => results.length === 2);
    expect(results[0]).toEqual({ kind: 'held', reason: 'fault', message: 'disk I/O error' });
    expect(results[1]?.kind).toBe('accepted');
    expect(faults).toHaveLength(1);
    site.drain();
  });

  it('fails one message if no server responds, and returns the others unattempted', async () => {
    const site = siteWith({ connect: () => Promise.resolve(NOBODY) });
    for (const prepare of [broken, ready, ready]) site.enqueue(job(prepare), HOSTS);
    await waitFor('all have ended', () => results.length === 3);
    expect(results.map(({ kind }) => kind)).toEqual(['held', 'unreachable', 'unattempted']);
    expect(signals.filter((kind) => kind === 'unreachable')).toHaveLength(1);
  });

  it('fails every waiting message if the TLS policy of their domain prevents sessions', async () => {
    const site = siteWith({ connect: () => Promise.resolve({ ...NOBODY, phase: 'tls' }) });
    for (const prepare of [ready, broken, ready]) site.enqueue(job(prepare), HOSTS);
    await waitFor('all have ended', () => results.length === 3);
    expect(results.map(({ kind }) => kind)).toEqual(['unreachable', 'held', 'unreachable']);
  });

  it('returns a message that gets no session in time', async () => {
    peer = await startScriptedPeer(`${HELLO}\n${TO_DATA}\nwait 400\n> 250 taken\nstall`);
    const site = siteWith(connectorTo(peer.port), 1, 100);
    site.enqueue(job(), HOSTS);
    await waitFor('the session is open', () => signals.includes('opened'));
    site.enqueue(job(), HOSTS);
    await waitFor('both have ended', () => results.length === 2);
    expect(results.map(({ kind }) => kind)).toEqual(['unattempted', 'accepted']);
    site.drain();
  });

  it('prepares an urgent message in a slot that was requested for bulk mail', async () => {
    peer = await startScriptedPeer(`${HELLO}\n${TAKE}\n${TAKE}\nstall`);
    const slots = new PrepareSlots(systemClock, { start: 1, min: 1, max: 1, targetMs: 50 });
    const elsewhere = slots.request(4);
    const limits = { connections: 1, connectionRate: null, messagesPerConnection: 50, idleMs: 5_000 };
    const site = siteOf(connectorTo(peer.port), new PathPool(limits, systemClock), 10_000, slots);
    const prepared: string[] = [];
    const named = (name: string): SiteJob =>
      job(() => {
        prepared.push(name);
        return ready();
      });
    site.enqueue({ ...named('bulk'), rank: 4 }, HOSTS);
    await waitFor('the session is open', () => signals.includes('opened'));
    site.enqueue({ ...named('password'), rank: 0 }, HOSTS);
    await waitFor('one has ended', () => results.length === 1);
    expect(prepared).toEqual(['password']);
    slots.release(elsewhere);
    await waitFor('both have ended', () => results.length === 2);
    expect(prepared).toEqual(['password', 'bulk']);
    site.drain();
  });

  it('holds waiting mail if an internal error ends the connection attempt', async () => {
    const site = siteWith({ connect: () => Promise.reject(new Error('no such option')) });
    site.enqueue(job(), HOSTS);
    await waitFor('it has ended', () => results.length === 1);
    expect(results[0]).toEqual({ kind: 'held', reason: 'fault', message: 'no such option' });
    expect(signals).not.toContain('unreachable');
    expect(faults).toHaveLength(1);
  });

  it('does not repeatedly request a session that a busy site refuses', async () => {
    peer = await startScriptedPeer([
      `${HELLO}\n${TO_DATA}\nwait 300\n> 250 taken\n${`${TAKE}\n`.repeat(19)}stall`,
      '> 421 4.7.0 Too many connections\nclose',
    ]);
    const site = siteWith(connectorTo(peer.port), 3);
    for (let i = 0; i < 20; i++) site.enqueue(job(), HOSTS);
    await waitFor('all are carried', () => results.length === 20);
    expect(results.every(({ kind }) => kind === 'accepted')).toBe(true);
    expect(peer.connections.length).toBeLessThanOrEqual(3);
    site.drain();
  });

  it('does not restart repeatedly if all its sessions fail in the same turn', async () => {
    let asked = 0;
    const nowhere: Connector = {
      connect: () => ((asked += 1) > 50 ? new Promise(() => undefined) : Promise.resolve(NOBODY)),
    };
    const site = siteWith(nowhere, 2);
    for (let i = 0; i < 20; i++) site.enqueue(job(), HOSTS);
    await waitFor('all are back', () => results.length === 20);
    expect(results.filter(({ kind }) => kind === 'unreachable')).toHaveLength(1);
    expect(asked).toBeLessThanOrEqual(3);
  });

  it('ends idle sessions if fewer are allowed', async () => {
    const session = `${HELLO}\n${`${TAKE}\n`.repeat(9)}stall`;
    peer = await startScriptedPeer([session, session]);
    const limits = { connections: 2, connectionRate: null, messagesPerConnection: 50, idleMs: 60_000 };
    const pool = new PathPool(limits, systemClock);
    const site = siteOf(connectorTo(peer.port), pool, 10_000);
    // Nine are more than one session is opened for.
    for (let i = 0; i < 9; i++) site.enqueue(job(), HOSTS);
    await waitFor('all are carried', () => results.length === 9);
    expect(pool.open).toBe(2);
    pool.change({ ...limits, connections: 1 });
    await waitFor('one of them has ended', () => pool.open === 1);
    site.drain();
  });

  it('aborts an opening session if none is allowed, and reports nothing about its peer', async () => {
    peer = await startScriptedPeer(['stall', `${HELLO}\n${TAKE}\nstall`]);
    const limits = { connections: 1, connectionRate: null, messagesPerConnection: 50, idleMs: 60_000 };
    const pool = new PathPool(limits, systemClock);
    const site = siteOf(connectorTo(peer.port), pool, 10_000);
    site.enqueue(job(), HOSTS);
    await waitFor('it waits for the greeting', () => (peer?.connections.length ?? 0) === 1);
    site.recall();
    pool.change({ ...limits, connections: 0 });
    await waitFor('it has ended', () => pool.open === 0);
    expect([signals, results.map(({ kind }) => kind)]).toEqual([['opening', 'ended'], ['unattempted']]);
    // Allowed again, it opens another.
    pool.change(limits);
    site.enqueue(job(), HOSTS);
    await waitFor('it is carried', () => results.length === 2);
    site.drain();
  });

  it('opens no session before the connection rate used by an earlier process allows it', async () => {
    peer = await startScriptedPeer(`${HELLO}\n${TAKE}\nstall`);
    const connectionRate = { count: 1, perMs: 400, burst: 1 };
    const limits = { connections: 2, connectionRate, messagesPerConnection: 50, idleMs: 60_000 };
    const startedAt = systemClock();
    const pool = new PathPool(limits, systemClock, startedAt + 400);
    const site = siteOf(connectorTo(peer.port), pool, 10_000);
    site.enqueue(job(), HOSTS);
    expect(pool.open).toBe(0);
    await waitFor('it is carried', () => results.length === 1);
    expect(pool.openedTat).toBeGreaterThanOrEqual(startedAt + 800);
    site.drain();
  });

  it('ends its idle session for a message that waits at another site of the path', async () => {
    peer = await startScriptedPeer([`${HELLO}\n${TAKE}\n< QUIT\n> 221 bye`, `${HELLO}\n${TAKE}\nstall`]);
    const limits = { connections: 1, connectionRate: null, messagesPerConnection: 50, idleMs: 60_000 };
    const pool = new PathPool(limits, systemClock);
    const [busy, other] = [1, 2].map(() => siteOf(connectorTo(peer?.port ?? 0), pool, 10_000));
    const fillOther = (): Promise<Prepared> => {
      other?.enqueue(job(), HOSTS);
      return ready();
    };
    busy?.enqueue(job(fillOther), HOSTS);
    await waitFor('both are carried', () => results.length === 2);
    expect(results.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
    busy?.drain();
    other?.drain();
  });

  it('retries a message over a new session if the kept one ends', async () => {
    peer = await startScriptedPeer([
      `${HELLO}\n< MAIL\n> 250 ok\n< RCPT\n> 550 5.1.1 nobody\n< RSET\nclose`,
      `${HELLO}\n${TAKE}\nstall`,
    ]);
    const site = siteWith(connectorTo(peer.port));
    site.enqueue(job(), HOSTS);
    site.enqueue(job(), HOSTS);
    await waitFor('both have ended', () => results.length === 2);
    expect(results.map(({ kind }) => kind)).toEqual(['refused', 'accepted']);
    site.drain();
  });

  it('returns a message that lost its kept session while the site drains', async () => {
    peer = await startScriptedPeer(`${HELLO}\n${TAKE}\n< MAIL\nclose`);
    const site = siteWith(connectorTo(peer.port));
    const drainFirst = (): Promise<Prepared> => {
      site.drain();
      return ready();
    };
    site.enqueue(job(), HOSTS);
    site.enqueue(job(drainFirst), HOSTS);
    await waitFor('both have ended', () => results.length === 2);
    expect(results.map(({ kind }) => kind)).toEqual(['accepted', 'unattempted']);
  });

  describe('with non-ASCII mail', () => {
    const IN_ASCII = 'Subject: hi\r\n\r\n=C3=BC\r\n';
    let made = 0;
    beforeEach(() => (made = 0));

    function eightBit(hasUtf8Fields: boolean, sevenBit: () => Prepared | null): () => Promise<Prepared> {
      return async () => {
        const mail = await ready();
        const bytes = Buffer.from(`Subject: ${hasUtf8Fields ? 'ü' : 'u'}\r\n\r\nü\r\n`);
        const counted = (): Prepared | null => ((made += 1), sevenBit());
        return { ...mail, bytes, eightBit: { hasUtf8Fields, sevenBit: counted } };
      };
    }
    const inAscii = (): Prepared => ({ ...READY, bytes: Buffer.from(IN_ASCII) });
    const offering = (...offers: string[]): string =>
      `> 220 hi\n< EHLO\n> 250-peer\n${offers.map((offer) => `> 250-${offer}\n`).join('')}> 250 SIZE`;

    it.each([
      ['as it is, where it is taken', ['8BITMIME'], false, false],
      ['as it is, where SMTPUTF8 is taken too', ['8BITMIME', 'SMTPUTF8'], true, false],
      ['in ASCII, where 8 bits are not taken', [], false, true],
      ['in ASCII, where SMTPUTF8 is not taken and its header needs it', ['8BITMIME'], true, true],
    ])('sends it %s', async (_what, offers, hasUtf8Fields, isInAscii) => {
      peer = await startScriptedPeer(`${offering(...offers)}\n${TAKE}\nstall`);
      const site = siteWith(connectorTo(peer.port));
      site.enqueue(job(eightBit(hasUtf8Fields, inAscii)), HOSTS);
      await waitFor('it has ended', () => results.length === 1);
      expect(results[0]?.kind).toBe('accepted');
      const { received } = peer.first();
      expect(received.includes(IN_ASCII)).toBe(isInAscii);
      expect(received.includes(' BODY=8BITMIME')).toBe(!isInAscii);
      expect(received.includes(' SMTPUTF8')).toBe(!isInAscii && hasUtf8Fields);
      expect(made).toBe(isInAscii ? 1 : 0);
      site.drain();
    });

    it('refuses it with an explanation if it has no ASCII form, and sends the next one', async () => {
      peer = await startScriptedPeer(`${offering()}\n${TAKE}\nstall`);
      const site = siteWith(connectorTo(peer.port));
      site.enqueue(job(eightBit(false, () => null)), HOSTS);
      site.enqueue(job(), HOSTS);
      await waitFor('both have ended', () => results.length === 2);
      expect(results[0]).toMatchObject({
        kind: 'refused',
        local: true,
        reply: { code: 554, enhanced: '5.6.3' },
      });
      expect(results[1]?.kind).toBe('accepted');
      site.drain();
    });

    it('holds it if the conversion fails', async () => {
      peer = await startScriptedPeer(`${offering()}\n${TAKE}\nstall`);
      const site = siteWith(connectorTo(peer.port));
      site.enqueue(
        job(
          eightBit(false, () => {
            throw new Error('disk I/O error');
          }),
        ),
        HOSTS,
      );
      await waitFor('it has ended', () => results.length === 1);
      expect(results[0]).toEqual({ kind: 'held', reason: 'fault', message: 'disk I/O error' });
      site.drain();
    });
  });

  it('requests the delivery reports of the message', async () => {
    peer = await startScriptedPeer(`> 220 hi\n< EHLO\n> 250-peer\n> 250 DSN\n${TAKE}\nstall`);
    const site = siteWith(connectorTo(peer.port));
    const dsn = { notify: ['SUCCESS', 'FAILURE'], envid: 'msg_1' } as const;
    site.enqueue(
      job(async () => ({ ...(await ready()), dsn })),
      HOSTS,
    );
    await waitFor('it has ended', () => results.length === 1);
    expect(peer.first().received).toContain(
      ' ENVID=msg_1\r\nRCPT TO:<ann@there.test> NOTIFY=SUCCESS,FAILURE\r\n',
    );
    site.drain();
  });
});
