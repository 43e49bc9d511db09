// Sends one question to one DNS server: over UDP, or over TCP if the answer does not fit (RFC 1035
// section 4.2, RFC 7766), with EDNS(0), DO and AD (RFC 6891, RFC 3225, RFC 6840 section 5.7). node:dns
// supports neither TLSA records nor authenticated answers.
import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import * as packet from 'dns-packet';
import type { Answer, RecordType } from 'dns-packet';
import { canonicalHost, type DnsFailure } from '../dns-answers/index.js';

interface DnsQuestion {
  /** Canonical; empty for the root. */
  name: string;
  type: RecordType;
}

export interface DnsReply {
  code: 'no_error' | 'no_name';
  /** The server states that the whole reply is authentic (AD). */
  isAuthentic: boolean;
  answers: Answer[];
  authorities: Answer[];
}

type Exchanged = { kind: 'reply'; reply: DnsReply } | { kind: 'failed'; reason: DnsFailure };

export interface DnsPeer {
  address: string;
  port: number;
}

/** Requested over loopback, where nothing is fragmented. */
const UDP_PAYLOAD_BYTES = 4_096;
const HEADER_BYTES = 12;
const RESPONSE = 0x8000;
const OPCODE = 0x7800;
const TRUNCATED = 0x0200;
const AUTHENTIC = 0x0020;
const RCODE = 0x000f;
const TYPE_AND_CLASS_BYTES = 4;
const TTL_AND_LENGTH_BYTES = 6;
const POINTER = 0xc0;

/**
 * Asks the server. `timeoutMs` applies to each try; any reply, however bad, ends the tries. Never rejects.
 */
export async function askDnsServer(
  server: DnsPeer,
  question: DnsQuestion,
  limits: { timeoutMs: number; tries: number },
): Promise<Exchanged> {
  let received: Received = { kind: 'failed', reason: 'timeout' };
  for (let attempt = 0; attempt < limits.tries; attempt += 1) {
    received = await overUdp(server, createQuery(question), limits.timeoutMs);
    if (received.kind === 'truncated')
      received = await overTcp(server, createQuery(question), limits.timeoutMs);
    if (received.kind !== 'failed' || received.reason !== 'timeout') break;
  }
  return received.kind === 'truncated' ? { kind: 'failed', reason: 'malformed' } : received;
}

type Received = Exchanged | { kind: 'truncated' };

interface Query {
  id: number;
  question: DnsQuestion;
  bytes: Buffer;
}

function createQuery(question: DnsQuestion): Query {
  const id = randomInt(0x10000);
  const bytes = packet.encode({
    type: 'query',
    id,
    flags: packet.RECURSION_DESIRED | packet.AUTHENTIC_DATA,
    questions: [{ type: question.type, name: question.name === '' ? '.' : question.name, class: 'IN' }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: UDP_PAYLOAD_BYTES,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: packet.DNSSEC_OK,
        flag_do: true,
        options: [],
      },
    ],
  });
  return { id, question, bytes };
}

/** Uses a new socket for each question, because its port is another number that a forger has to guess. */
function overUdp(server: DnsPeer, query: Query, timeoutMs: number): Promise<Received> {
  return new Promise((resolve) => {
    const socket = createSocket(server.address.includes(':') ? 'udp6' : 'udp4');
    const finish = (received: Received): void => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      socket.close();
      resolve(received);
    };
    const timer = setTimeout(() => finish({ kind: 'failed', reason: 'timeout' }), timeoutMs);
    socket.on('error', () => finish({ kind: 'failed', reason: 'unreachable' }));
    socket.on('message', (message) => {
      const received = readReply(message, query);
      // A datagram that does not match the question is ignored; the answer may still come.
      if (received !== null) finish(received);
    });
    // Connected, so that only datagrams of this server arrive.
    socket.once('connect', () => socket.send(query.bytes));
    socket.connect(server.port, server.address);
  });
}

function overTcp(server: DnsPeer, query: Query, timeoutMs: number): Promise<Received> {
  return new Promise((resolve) => {
    const socket = connect({ host: server.address, port: server.port, noDelay: true });
    let pending = Buffer.alloc(0);
    const finish = (received: Received): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(received);
    };
    const timer = setTimeout(() => finish({ kind: 'failed', reason: 'timeout' }), timeoutMs);
    socket.on('error', () => finish({ kind: 'failed', reason: 'unreachable' }));
    socket.on('close', () => finish({ kind: 'failed', reason: 'unreachable' }));
    socket.on('data', (bytes: Buffer) => {
      pending = Buffer.concat([pending, bytes]);
      if (pending.length < 2 || pending.length < 2 + pending.readUInt16BE(0)) return;
      const received = readReply(pending.subarray(2, 2 + pending.readUInt16BE(0)), query);
      finish(
        received === null || received.kind === 'truncated'
          ? { kind: 'failed', reason: 'malformed' }
          : received,
      );
    });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.bytes.length);
    socket.write(Buffer.concat([length, query.bytes]));
  });
}

/** Returns `null` if the message does not answer the query. */
function readReply(message: Buffer, query: Query): Received | null {
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== query.id) return null;
  const flags = message.readUInt16BE(2);
  if ((flags & RESPONSE) === 0 || (flags & OPCODE) !== 0) return null;
  const decoded = isWhole(message) ? decode(message) : null;
  // A truncated message may end in the middle of a record.
  if (decoded === null) {
    return (flags & TRUNCATED) === 0 ? { kind: 'failed', reason: 'malformed' } : { kind: 'truncated' };
  }
  const [question] = decoded.questions ?? [];
  if (question === undefined || question.type !== query.question.type) return null;
  if (canonicalHost(question.name) !== query.question.name) return null;
  if ((flags & TRUNCATED) !== 0) return { kind: 'truncated' };
  return toReply(flags, decoded);
}

function decode(message: Buffer): packet.DecodedPacket | null {
  try {
    return packet.decode(message);
  } catch {
    return null;
  }
}

/** Returns whether every record ends inside the message; the package accepts truncated ones. */
function isWhole(message: Buffer): boolean {
  let at = HEADER_BYTES;
  const questions = message.readUInt16BE(4);
  const records = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10);
  for (let n = 0; n < questions + records; n += 1) {
    at = endOfName(message, at) + TYPE_AND_CLASS_BYTES;
    if (n >= questions) {
      if (at + TTL_AND_LENGTH_BYTES > message.length) return false;
      at += TTL_AND_LENGTH_BYTES + message.readUInt16BE(at + 4);
    }
    if (at > message.length) return false;
  }
  return true;
}

/** Skips labels up to the root's or up to a pointer (RFC 1035 section 4.1.4). */
function endOfName(message: Buffer, start: number): number {
  let at = start;
  for (let length = message[at] ?? 0; length !== 0; length = message[at] ?? 0) {
    if (length >= POINTER) return at + 2;
    at += 1 + length;
  }
  return at + 1;
}

function toReply(flags: number, { answers = [], authorities = [] }: packet.DecodedPacket): Exchanged {
  const isAuthentic = (flags & AUTHENTIC) !== 0;
  switch (flags & RCODE) {
    case 0:
      return { kind: 'reply', reply: { code: 'no_error', isAuthentic, answers, authorities } };
    case 3:
      return { kind: 'reply', reply: { code: 'no_name', isAuthentic, answers, authorities } };
    case 2:
      return { kind: 'failed', reason: 'servfail' };
    case 5:
      return { kind: 'failed', reason: 'refused' };
    default:
      return { kind: 'failed', reason: 'malformed' };
  }
}
