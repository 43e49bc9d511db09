// Reads questions to the name server and writes its replies (RFC 1035 section 4, RFC 6891 EDNS). A reply
// repeats the question octet for octet, because resolvers compare the case of its letters.
import * as packet from 'dns-packet';
import type { Answer } from 'dns-packet';
import {
  canonicalHost,
  type ZoneAnswer,
  type ZoneQuestion,
  type ZoneQuestionType,
  type ZoneRecord,
} from '../dns-answers/index.js';

export const MAX_TCP_BYTES = 65_535;
/** Fits every link without fragmentation. */
const MAX_UDP_BYTES = 1_232;
const PLAIN_UDP_BYTES = 512;
const HEADER_BYTES = 12;
const CHUNK_BYTES = 255;
const MAX_NAME_BYTES = 255;

const RESPONSE = 0x8000;
const OPCODE = 0x7800;
const TRUNCATED = 0x0200;
const RECURSION_DESIRED = 0x0100;
const INTERNET = 1;
const OPT = 41;
/** One OPT, and possibly a signature of the question, which is not checked. */
const MAX_ADDITIONALS = 2;

const RCODES = { no_error: 0, malformed: 1, failed: 2, no_name: 3, not_implemented: 4, refused: 5 } as const;
type Rcode = keyof typeof RCODES;

const TYPES: Readonly<Record<number, ZoneQuestionType>> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  6: 'SOA',
  13: 'HINFO',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  251: 'transfer',
  252: 'transfer',
  255: 'ANY',
};

interface Edns {
  payloadBytes: number;
  wantsDnssec: boolean;
}

export interface DnsQuery {
  question: ZoneQuestion;
  /** Maximum size of a datagram to the client. */
  maxUdpBytes: number;
  /** The part of the query that the reply repeats. */
  echo: Echo;
}

interface Echo {
  id: number;
  /** Opcode and the recursion desired bit. */
  flags: number;
  /** The question section; empty if it is unreadable. */
  question: Buffer;
  /** `null` if the client does not use EDNS. */
  edns: Edns | null;
}

type ReadQuery =
  | { kind: 'query'; query: DnsQuery }
  /** The query is not answered from the zone; `reply` fits any transport. */
  | { kind: 'reply'; reply: Buffer }
  /** No reply, because two servers would answer each other forever. */
  | { kind: 'silence' };

/** Reads a message. Never throws. */
export function readQuery(message: Buffer): ReadQuery {
  if (message.length < HEADER_BYTES) return { kind: 'silence' };
  const flags = message.readUInt16BE(2);
  if ((flags & RESPONSE) !== 0) return { kind: 'silence' };
  const echo: Echo = {
    id: message.readUInt16BE(0),
    flags: flags & (OPCODE | RECURSION_DESIRED),
    question: Buffer.alloc(0),
    edns: null,
  };
  const no = (code: Rcode): ReadQuery => ({ kind: 'reply', reply: encodeReply(echo, code) });
  if ((flags & OPCODE) !== 0) return no('not_implemented');
  const asked = hasCounts(message, flags) ? readQuestion(message) : null;
  if (asked === null) return no('malformed');
  echo.question = message.subarray(HEADER_BYTES, asked.end);
  const edns = readEdns(message);
  if (edns === 'malformed') return no('malformed');
  if (edns === 'version') {
    echo.edns = { payloadBytes: PLAIN_UDP_BYTES, wantsDnssec: false };
    return { kind: 'reply', reply: encodeReply(echo, 'no_error', { isBadVersion: true }) };
  }
  echo.edns = edns;
  if (asked.type === OPT) return no('malformed');
  if (asked.class !== INTERNET) return no('refused');
  const type = TYPES[asked.type] ?? (asked.type >= 128 && asked.type < 256 ? 'transfer' : 'other');
  const maxUdpBytes = Math.min(MAX_UDP_BYTES, Math.max(PLAIN_UDP_BYTES, edns?.payloadBytes ?? 0));
  return { kind: 'query', query: { question: { name: asked.name, type }, maxUdpBytes, echo } };
}

/** Encodes an answer of at most `maxBytes`. Leaves out what does not fit and sets TC if that matters. */
export function encodeAnswer(query: DnsQuery, answer: ZoneAnswer, maxBytes: number): Buffer {
  const { echo, question } = query;
  const whole = encodeReply(echo, answer.code, { sections: answer, asked: question.name });
  if (whole.length <= maxBytes) return whole;
  const bare = { ...answer, additionals: [] };
  const short = encodeReply(echo, answer.code, { sections: bare, asked: question.name });
  return short.length <= maxBytes ? short : encodeTruncated(query, answer.code);
}

/** Encodes a reply that only asks the client to use TCP. */
export function encodeTruncated({ echo }: DnsQuery, code: ZoneAnswer['code'] = 'no_error'): Buffer {
  return encodeReply(echo, code, { isTruncated: true });
}

/** Encodes SERVFAIL. */
export function encodeFailure({ echo }: DnsQuery): Buffer {
  return encodeReply(echo, 'failed');
}

/** Checked first, because a parser would allocate space for the declared counts. */
function hasCounts(message: Buffer, flags: number): boolean {
  const [questions, answers, authorities, additionals] = [4, 6, 8, 10].map((at) => message.readUInt16BE(at));
  if (questions !== 1 || (flags & TRUNCATED) !== 0) return false;
  // IXFR has one record in the third section, and is refused anyway.
  return answers === 0 && (authorities ?? 0) <= 1 && (additionals ?? 0) <= MAX_ADDITIONALS;
}

interface Asked {
  name: string;
  type: number;
  class: number;
  /** Offset of the end of the section. */
  end: number;
}

/**
 * Reads the only question (RFC 9619); `null` if it is invalid. Its name cannot contain pointers, since
 * nothing precedes it.
 */
function readQuestion(message: Buffer): Asked | null {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const length = message[at];
    if (length === undefined || length > 63) return null;
    at += 1 + length;
    if (length === 0) break;
    if (at > message.length || at - HEADER_BYTES >= MAX_NAME_BYTES) return null;
    labels.push(labelText(message.subarray(at - length, at)));
  }
  if (at + 4 > message.length) return null;
  return {
    name: labels.join('.'),
    type: message.readUInt16BE(at),
    class: message.readUInt16BE(at + 2),
    end: at + 4,
  };
}

/** Escapes ambiguous octets as `\DDD` (RFC 1035 section 5.1), so that no two names look the same. */
function labelText(octets: Buffer): string {
  const text = octets.toString('latin1');
  return text.replace(/[^A-Za-z0-9_-]/g, (one) => `\\${String(one.charCodeAt(0)).padStart(3, '0')}`);
}

/** Returns `null` without EDNS, and `version` for an unsupported version. */
function readEdns(message: Buffer): Edns | null | 'malformed' | 'version' {
  if (message.readUInt16BE(8) === 0 && message.readUInt16BE(10) === 0) return null;
  try {
    const { additionals = [] } = packet.decode(message);
    const [opt, ...more] = additionals.filter((record) => record.type === 'OPT');
    if (opt?.type !== 'OPT') return null;
    if (more.length > 0 || opt.name !== '.') return 'malformed';
    if (opt.ednsVersion !== 0) return 'version';
    return { payloadBytes: opt.udpPayloadSize, wantsDnssec: opt.flag_do };
  } catch {
    return 'malformed';
  }
}

interface ReplyParts {
  sections?: Pick<ZoneAnswer, 'answers' | 'authorities' | 'additionals'>;
  /** The name as asked. */
  asked?: string;
  isTruncated?: boolean;
  isBadVersion?: boolean;
}

function encodeReply(echo: Echo, code: Rcode, parts: ReplyParts = {}): Buffer {
  const { sections = { answers: [], authorities: [], additionals: [] }, asked = '' } = parts;
  const records = (list: readonly ZoneRecord[]): Answer[] => list.map((record) => toAnswer(record, asked));
  const isOurs = (code === 'no_error' || code === 'no_name') && parts.isBadVersion !== true;
  const rest = packet.encode({
    id: echo.id,
    type: 'response',
    flags:
      RCODES[code] |
      (isOurs ? packet.AUTHORITATIVE_ANSWER : 0) |
      (parts.isTruncated === true ? packet.TRUNCATED_RESPONSE : 0) |
      echo.flags,
    answers: records(sections.answers),
    authorities: records(sections.authorities),
    additionals: [...records(sections.additionals), ...ednsRecords(echo, parts.isBadVersion === true)],
  });
  const reply = Buffer.concat([rest.subarray(0, HEADER_BYTES), echo.question, rest.subarray(HEADER_BYTES)]);
  reply.writeUInt16BE(echo.question.length > 0 ? 1 : 0, 4);
  return reply;
}

function ednsRecords({ edns }: Echo, isBadVersion: boolean): Answer[] {
  if (edns === null) return [];
  const { wantsDnssec } = edns;
  return [
    {
      type: 'OPT',
      name: '.',
      udpPayloadSize: MAX_UDP_BYTES,
      // BADVERS is 16; its upper bits go here (RFC 6891 section 6.1.3).
      extendedRcode: isBadVersion ? 1 : 0,
      ednsVersion: 0,
      flags: wantsDnssec ? packet.DNSSEC_OK : 0,
      flag_do: wantsDnssec,
      options: [],
    },
  ];
}

function toAnswer(record: ZoneRecord, asked: string): Answer {
  const name = canonicalHost(asked) === record.name ? asked : record.name;
  const base = { name, ttl: record.ttlS, class: 'IN' as const };
  switch (record.type) {
    case 'A':
    case 'AAAA':
    case 'NS':
    case 'CNAME':
      return { ...base, type: record.type, data: record.value };
    case 'TXT':
      return { ...base, type: 'TXT', data: splitChunks(record.value) };
    case 'MX':
      return { ...base, type: 'MX', data: { preference: record.preference, exchange: record.exchange } };
    case 'HINFO':
      return { ...base, type: 'HINFO', data: { cpu: record.cpu, os: record.os } };
    case 'SOA':
      return {
        ...base,
        type: 'SOA',
        data: {
          mname: record.primary,
          rname: record.contact,
          serial: record.serial,
          refresh: record.refreshS,
          retry: record.retryS,
          expire: record.expireS,
          minimum: record.negativeS,
        },
      };
  }
}

function splitChunks(text: string): Buffer[] {
  const octets = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < octets.length || at === 0; at += CHUNK_BYTES) {
    chunks.push(octets.subarray(at, at + CHUNK_BYTES));
  }
  return chunks;
}
