import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import * as packet from 'dns-packet';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createResolver } from '../../../src/lib/dns/resolver.js';
import {
  createNameServer,
  type NameServer,
  type NameServerOptions,
} from '../../../src/lib/dns/name-server.js';
import { encodeAnswer, readQuery } from '../../../src/lib/dns/zone-wire.js';
import { answerFromZone, type ZoneQuestion, type ZoneRecord } from '../../../src/lib/dns-answers/index.js';
import { createLog } from '../../../src/lib/runtime/index.js';
import { fixedClock } from '../../support/fixed-clock.js';
import { runs } from '../../support/run-size.js';

const ZONE = 'mail.platform.example';
const LONG = `v=DKIM1; k=rsa; p=${'Ab9+'.repeat(150)}`;
const text = (name: string, value: string): ZoneRecord => ({ type: 'TXT', name, ttlS: 300, value });
const CONTENTS = {
  soa: {
    type: 'SOA' as const,
    name: ZONE,
    ttlS: 60,
    primary: `ns.${ZONE}`,
    contact: `postmaster.${ZONE}`,
    serial: 7,
    refreshS: 3600,
    retryS: 600,
    expireS: 86_400,
    negativeS: 60,
  },
  records: [
    text(`acme.${ZONE}`, 'v=spf1 -all'),
    text(`key._domainkey.acme.${ZONE}`, LONG),
    ...Array.from({ length: 40 }, (_, i) => text(`many.${ZONE}`, `${i} ${'x'.repeat(60)}`)),
    { type: 'MX' as const, name: `acme.${ZONE}`, ttlS: 300, preference: 10, exchange: `mx.${ZONE}` },
    { type: 'A' as const, name: `mx.${ZONE}`, ttlS: 300, value: '192.0.2.1' },
    { type: 'AAAA' as const, name: `mx.${ZONE}`, ttlS: 300, value: '2001:db8::1' },
    { type: 'CNAME' as const, name: `click.acme.${ZONE}`, ttlS: 300, value: `mx.${ZONE}` },
  ],
};
const answer = (question: ZoneQuestion) => answerFromZone(question, CONTENTS);
const OFF = { perNetworkPerMinute: 0, totalPerMinute: 0, connections: 10, idleMs: 5_000 };

const FLAG = { response: 0x8000, aa: 0x0400, tc: 0x0200, rd: 0x0100, ra: 0x0080 };
const codeOf = (reply: Buffer): number => reply.readUInt16BE(2) & 15;
const hasFlag = (reply: Buffer, flag: number): boolean => (reply.readUInt16BE(2) & flag) !== 0;

interface Asked {
  name: string;
  type?: string | number;
  class?: number;
  edns?: number;
  version?: number;
  flags?: number;
  id?: number;
}

const numbers: Record<string, number> = {
  A: 1,
  NS: 2,
  SOA: 6,
  MX: 15,
  TXT: 16,
  ANY: 255,
  AXFR: 252,
  IXFR: 251,
};

/** Encodes a question; patches the header where the package lacks an option. */
function queryOf({
  name,
  type = 'TXT',
  class: ofClass = 1,
  edns,
  version = 0,
  flags = 0,
  id = 4711,
}: Asked): Buffer {
  const bytes = packet.encode({
    type: 'query',
    id,
    flags: packet.RECURSION_DESIRED,
    questions: [{ name, type: 'A' }],
    additionals:
      edns === undefined
        ? []
        : [
            {
              type: 'OPT',
              name: '.',
              udpPayloadSize: edns,
              extendedRcode: 0,
              ednsVersion: version,
              flags: packet.DNSSEC_OK,
              flag_do: true,
              options: [],
            },
          ],
  });
  const end = 12 + (name === '.' ? 1 : Buffer.byteLength(name) + 2);
  bytes.writeUInt16BE(typeof type === 'number' ? type : (numbers[type] ?? 0), end);
  bytes.writeUInt16BE(ofClass, end + 2);
  bytes.writeUInt16BE(bytes.readUInt16BE(2) ^ flags, 2);
  return bytes;
}

/** Returns the server's reply to these octets in a datagram; null for silence. */
function reply(message: Buffer): Buffer | null {
  const read = readQuery(message);
  if (read.kind === 'silence') return null;
  return read.kind === 'reply'
    ? read.reply
    : encodeAnswer(read.query, answer(read.query.question), read.query.maxUdpBytes);
}

function replyTo(asked: Asked): Buffer {
  const said = reply(queryOf(asked));
  if (said === null) throw new Error('There was no reply.');
  return said;
}

describe('a DNS response', () => {
  it('is authoritative, offers no recursion, and repeats the question letter by letter', () => {
    const said = replyTo({ name: `AcMe.MAIL.platform.Example` });
    expect(codeOf(said)).toBe(0);
    expect([FLAG.response, FLAG.aa, FLAG.rd].every((flag) => hasFlag(said, flag))).toBe(true);
    expect(hasFlag(said, FLAG.ra) || hasFlag(said, FLAG.tc)).toBe(false);
    const { id, questions, answers } = packet.decode(said);
    expect(id).toBe(4711);
    expect(questions).toMatchObject([{ name: 'AcMe.MAIL.platform.Example', type: 'TXT' }]);
    expect(answers).toMatchObject([{ name: 'AcMe.MAIL.platform.Example', ttl: 300 }]);
  });

  it('splits a long text into strings', () => {
    const { answers } = packet.decode(replyTo({ name: `key._domainkey.acme.${ZONE}`, edns: 1232 }));
    const [record] = answers ?? [];
    const chunks = record?.type === 'TXT' && Array.isArray(record.data) ? (record.data as Buffer[]) : [];
    expect(chunks.map((chunk) => chunk.length)).toEqual([255, 255, 108]);
    expect(Buffer.concat(chunks).toString()).toBe(LONG);
  });

  it.each<[string, Asked, number, boolean]>([
    ['no such name', { name: `nobody.${ZONE}` }, 3, true],
    ['nothing of that type', { name: `acme.${ZONE}`, type: 'A' }, 0, true],
    ['outside', { name: 'platform.example' }, 5, false],
    ['the root', { name: '.', type: 'NS' }, 5, false],
    ['AXFR', { name: ZONE, type: 'AXFR' }, 5, false],
    ['IXFR', { name: ZONE, type: 'IXFR' }, 5, false],
    ['another type that asks for no record', { name: ZONE, type: 250 }, 5, false],
    ['class CHAOS', { name: `acme.${ZONE}`, class: 3 }, 5, false],
    ['any class', { name: `acme.${ZONE}`, class: 255 }, 5, false],
    ['type OPT', { name: `acme.${ZONE}`, type: 41 }, 1, false],
    ['another operation', { name: `acme.${ZONE}`, flags: 0x2800 }, 4, false],
    ['a cut question', { name: `acme.${ZONE}`, flags: FLAG.tc }, 1, false],
    ['an octet that no name has', { name: `a\u0001b.${ZONE}` }, 3, true],
  ])('to %s', (_what, asked, code, isAuthority) => {
    const said = replyTo(asked);
    expect(codeOf(said)).toBe(code);
    expect(hasFlag(said, FLAG.aa)).toBe(isAuthority);
    expect(said.readUInt16BE(2) & 0x7800).toBe((asked.flags ?? 0) & 0x7800);
    expect(packet.decode(said).answers).toEqual([]);
    expect(packet.decode(said).authorities).toHaveLength(isAuthority ? 1 : 0);
  });

  it('to ANY is one small record', () => {
    const { answers } = packet.decode(replyTo({ name: `acme.${ZONE}`, type: 'ANY' }));
    expect(answers).toMatchObject([{ type: 'HINFO', data: { cpu: 'RFC8482', os: '' } }]);
  });

  it('includes the addresses of a mail host', () => {
    const { additionals } = packet.decode(replyTo({ name: `acme.${ZONE}`, type: 'MX' }));
    expect(additionals?.map((record) => record.type)).toEqual(['A', 'AAAA']);
  });

  it('is truncated if it does not fit, and as long as the client supports', () => {
    const name = `key._domainkey.acme.${ZONE}`;
    const plain = replyTo({ name });
    expect(hasFlag(plain, FLAG.tc)).toBe(true);
    expect(plain.length).toBeLessThanOrEqual(512);
    expect(hasFlag(replyTo({ name, edns: 100 }), FLAG.tc)).toBe(true);
    expect(hasFlag(replyTo({ name, edns: 4096 }), FLAG.tc)).toBe(false);
    const many = replyTo({ name: `many.${ZONE}`, edns: 65_535 });
    expect(hasFlag(many, FLAG.tc)).toBe(true);
    expect(many.length).toBeLessThanOrEqual(1232);
  });

  it('supports EDNS, and only its first version', () => {
    const opt = (said: Buffer) => packet.decode(said).additionals?.at(-1);
    expect(opt(replyTo({ name: `acme.${ZONE}`, edns: 1400 }))).toMatchObject({
      type: 'OPT',
      udpPayloadSize: 1232,
      extendedRcode: 0,
      flag_do: true,
    });
    const newer = replyTo({ name: `acme.${ZONE}`, edns: 1400, version: 1 });
    expect(codeOf(newer)).toBe(0);
    expect(hasFlag(newer, FLAG.aa)).toBe(false);
    expect(opt(newer)).toMatchObject({ extendedRcode: 1, ednsVersion: 0 });
    expect(opt(replyTo({ name: `acme.${ZONE}` }))).toBeUndefined();
  });

  it('is never sent to a response or to a packet without a header', () => {
    expect(reply(queryOf({ name: `acme.${ZONE}`, flags: FLAG.response }))).toBeNull();
    expect(reply(Buffer.alloc(11))).toBeNull();
  });

  it.each([
    [[0, 0, 0, 0]],
    [[2, 0, 0, 0]],
    [[1, 1, 0, 0]],
    [[65_535, 65_535, 65_535, 65_535]],
    [[1, 0, 0, 65_535]],
  ])('to counts %j reports a format error', (counts) => {
    const message = queryOf({ name: `acme.${ZONE}` });
    counts.forEach((value, i) => message.writeUInt16BE(value, 4 + 2 * i));
    const said = reply(message);
    expect(said && codeOf(said)).toBe(1);
  });

  it('to any packet is valid, of limited length, and never an exception', () => {
    const whole = fc.record({
      name: fc.array(fc.stringMatching(/^[a-zA-Z0-9_\x00-\x09-]{1,20}$/), { maxLength: 6 }),
      isInside: fc.boolean(),
      type: fc.integer({ min: 0, max: 300 }),
      class: fc.constantFrom(1, 1, 1, 3, 255),
      edns: fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined }),
      flags: fc.constantFrom(0, 0, 0, 0x0200, 0x2800, 0x8000),
    });
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 });
    const message = fc.oneof(
      fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(whole, edits, fc.nat()).map(([{ name, isInside, edns, ...asked }, changes, cut]) => {
        const full = [...name, ...(isInside ? [ZONE] : [])].join('.') || '.';
        const bytes = queryOf({ ...asked, name: full, ...(edns === undefined ? {} : { edns }) });
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return cut % 5 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes;
      }),
    );
    fc.assert(
      fc.property(message, (bytes) => {
        const said = reply(bytes);
        if (said === null) return;
        expect(said.length).toBeLessThanOrEqual(1232);
        expect(hasFlag(said, FLAG.response)).toBe(true);
        expect(said.readUInt16BE(0)).toBe(bytes.readUInt16BE(0));
        packet.decode(said);
      }),
      runs(5_000),
    );
  });
});

describe('the name server', () => {
  const running: NameServer[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
  });

  async function start(options: Partial<NameServerOptions> = {}): Promise<number> {
    const server = createNameServer({
      host: '127.0.0.1',
      port: 0,
      limits: OFF,
      answer,
      clock: Date.now,
      log: createLog('silent'),
      ...options,
    });
    running.push(server);
    const listening = await server.start();
    if (!listening.ok) throw new Error(listening.reason);
    return listening.address.port;
  }

  /** Returns the replies to datagrams sent one after the other, as far as they arrive. */
  async function overUdp(port: number, messages: readonly Buffer[], wanted: number): Promise<Buffer[]> {
    const socket = createSocket('udp4');
    const replies: Buffer[] = [];
    await new Promise<void>((resolve) => {
      socket.on('message', (message) => {
        replies.push(message);
        if (replies.length === wanted) resolve();
      });
      for (const message of messages) socket.send(message, port, '127.0.0.1');
    });
    socket.close();
    return replies;
  }

  const frame = (message: Buffer): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    return Buffer.concat([length, message]);
  };

  /** Returns everything that the server sends until it closes the connection. */
  async function overTcp(port: number, talk: (socket: Socket) => void): Promise<Buffer[]> {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.once('end', () => socket.end());
    socket.once('connect', () => talk(socket));
    await closed;
    const replies: Buffer[] = [];
    for (let rest = Buffer.concat(chunks); rest.length > 2; rest = rest.subarray(2 + rest.readUInt16BE(0))) {
      replies.push(rest.subarray(2, 2 + rest.readUInt16BE(0)));
    }
    return replies;
  }

  it('answers a resolver, and uses TCP for responses that do not fit into a datagram', async () => {
    const port = await start();
    const resolver = createResolver({ servers: [`127.0.0.1:${port}`], clock: Date.now });
    expect(await resolver.txt(`key._domainkey.acme.${ZONE}`)).toEqual({ kind: 'found', records: [LONG] });
    expect(await resolver.txt(`many.${ZONE}`)).toMatchObject({ kind: 'found', records: { length: 40 } });
    expect(await resolver.mx(`acme.${ZONE}`)).toEqual({
      kind: 'found',
      records: [{ exchange: `mx.${ZONE}`, preference: 10 }],
    });
    expect(await resolver.addresses(`click.acme.${ZONE}`, [4])).toEqual({
      kind: 'found',
      records: ['192.0.2.1'],
    });
    expect(await resolver.txt(`nobody.${ZONE}`)).toEqual({ kind: 'no_name' });
    expect(await resolver.txt(`mx.${ZONE}`)).toEqual({ kind: 'no_data' });
    expect(await resolver.txt('elsewhere.example')).toEqual({ kind: 'failed', reason: 'refused' });
    resolver.close();
  });

  it('explains why it has no port, and does not affect other services', async () => {
    const port = await start();
    const second = createNameServer({
      host: '127.0.0.1',
      port,
      limits: OFF,
      answer,
      clock: Date.now,
      log: createLog('silent'),
    });
    expect(await second.start()).toEqual({
      ok: false,
      reason: `127.0.0.1, port ${port}: another program is using this port, often the machine's own resolver`,
    });
    await second.stop();
  });

  it('reports a server failure if the answer cannot be found', async () => {
    const port = await start({ answer: () => Promise.reject(new Error('the store is away')) });
    const [said] = await overUdp(port, [queryOf({ name: `acme.${ZONE}` })], 1);
    expect(said && codeOf(said)).toBe(2);
  });

  it('limits a client network over UDP, truncates every second further response, and answers over TCP', async () => {
    const clock = fixedClock();
    const limits = { ...OFF, perNetworkPerMinute: 600 };
    const port = await start({ limits, clock: clock.now });
    const messages = Array.from({ length: 30 }, (_, id) => queryOf({ name: `acme.${ZONE}`, id }));
    const replies = await overUdp(port, messages, 20);
    const cut = replies.filter((said) => hasFlag(said, FLAG.tc));
    expect(replies.length - cut.length).toBe(10);
    expect(cut.map((said) => said.length)).toEqual(cut.map(() => messages[0]?.length));
    const [said] = await overTcp(port, (socket) => socket.end(frame(queryOf({ name: `acme.${ZONE}` }))));
    expect(said && packet.decode(said).answers).toHaveLength(1);
    clock.advance(1_000);
    const [again] = await overUdp(port, [queryOf({ name: `acme.${ZONE}` })], 1);
    expect(again && hasFlag(again, FLAG.tc)).toBe(false);
  });

  it('handles no more datagrams than allowed', async () => {
    const clock = fixedClock();
    let asked = 0;
    const port = await start({
      limits: { ...OFF, totalPerMinute: 300 },
      clock: clock.now,
      answer: (question) => {
        asked += 1;
        return answer(question);
      },
    });
    await overUdp(
      port,
      Array.from({ length: 50 }, (_, id) => queryOf({ name: `acme.${ZONE}`, id })),
      5,
    );
    clock.advance(60_000);
    await overUdp(port, [queryOf({ name: `acme.${ZONE}` })], 1);
    expect(asked).toBe(6);
  });

  it('answers many questions of one connection in order, however they are split', async () => {
    const port = await start();
    const all = Buffer.concat(
      Array.from({ length: 200 }, (_, id) => frame(queryOf({ name: `key._domainkey.acme.${ZONE}`, id }))),
    );
    const replies = await overTcp(port, (socket) => {
      socket.write(all.subarray(0, 1));
      socket.write(all.subarray(1, 77));
      socket.end(all.subarray(77));
    });
    expect(replies.map((said) => said.readUInt16BE(0))).toEqual(Array.from({ length: 200 }, (_, id) => id));
  });

  it.each<[string, (socket: Socket) => void]>([
    ['asks for nothing', () => undefined],
    ['drips', (socket) => socket.write(Buffer.from([0]))],
    ['announces a message that is too long', (socket) => socket.write(Buffer.from([0xff, 0xff, 1]))],
    ['sends a reply', (socket) => socket.write(frame(queryOf({ name: ZONE, flags: FLAG.response })))],
    ['hangs up in the middle', (socket) => socket.end(Buffer.from([0, 30, 1, 2]))],
  ])('ends a connection that %s', async (_what, talk) => {
    const port = await start({ limits: { ...OFF, idleMs: 60 } });
    expect(await overTcp(port, talk)).toEqual([]);
  });

  it('accepts no more connections than allowed, and others when those end', async () => {
    const port = await start({ limits: { ...OFF, connections: 10 } });
    const open = (): Promise<{ socket: Socket; isHeard: boolean }> =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(frame(queryOf({ name: `acme.${ZONE}` }))),
        );
        socket.once('data', () => resolve({ socket, isHeard: true }));
        socket.once('close', () => resolve({ socket, isHeard: false }));
        socket.on('error', () => undefined);
      });
    const first = await Promise.all([open(), open(), open()]);
    expect(first.filter(({ isHeard }) => isHeard)).toHaveLength(2);
    await Promise.all(
      first.map(
        ({ socket }) =>
          new Promise((resolve) => (socket.destroyed ? resolve(0) : socket.once('close', resolve).destroy())),
      ),
    );
    const [said] = await overTcp(port, (socket) => socket.end(frame(queryOf({ name: `acme.${ZONE}` }))));
    expect(said).toBeDefined();
  });
});
