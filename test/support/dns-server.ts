// An authoritative DNS server inside the test process: UDP and TCP on one loopback port, with faults on demand.
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import * as packet from 'dns-packet';
import type { Answer, DecodedPacket } from 'dns-packet';

interface TestMx {
  preference: number;
  /** '.' produces a null MX. */
  exchange: string;
}

/** TXT values longer than 255 characters are split into chunks. */
export interface TestRecords {
  A?: string[];
  AAAA?: string[];
  MX?: TestMx[];
  TXT?: string[];
  CNAME?: string[];
  NS?: string[];
  PTR?: string[];
  TLSA?: packet.TlsaData[];
}
type TestRecordType = keyof TestRecords;

/** `drop` never responds; `servfail` and `refused` respond with that code; `delayMs` responds late. */
type DnsFault = 'drop' | 'servfail' | 'refused' | { delayMs: number };

interface DnsQuery {
  name: string;
  type: string;
  transport: 'udp' | 'tcp';
}

export interface TestDnsServer {
  /** `127.0.0.1:port`, as MAILKEEL_DNS_SERVERS takes it. */
  address: string;
  port: number;
  /** Every question received, in order. */
  queries: DnsQuery[];
  set<T extends TestRecordType>(name: string, type: T, records: NonNullable<TestRecords[T]>): void;
  /** Without `type`, removes the whole name. */
  remove(name: string, type?: TestRecordType): void;
  /** null heals the name. With `type` only questions of that type are hit. */
  fault(name: string, fault: DnsFault | null, type?: TestRecordType): void;
  /** Removes all zones, faults and recorded queries. */
  clear(): void;
  close(): Promise<void>;
}

const RCODE = { noError: 0, servfail: 2, nxdomain: 3, refused: 5 } as const;
const MAX_CNAME_HOPS = 8;
const key = (name: string): string => name.toLowerCase().replace(/\.$/, '');

function chunks(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += 255) parts.push(bytes.subarray(at, at + 255));
  return parts;
}

function answersOf(name: string, type: string, records: TestRecords, ttl: number): Answer[] {
  const base = { name, ttl, class: 'IN' as const };
  switch (type) {
    case 'A':
    case 'AAAA':
    case 'NS':
    case 'PTR':
    case 'CNAME':
      return (records[type] ?? []).map((data) => ({ ...base, type, data }));
    case 'MX':
      return (records.MX ?? []).map((data) => ({ ...base, type: 'MX', data }));
    case 'TXT':
      return (records.TXT ?? []).map((text) => ({ ...base, type: 'TXT', data: chunks(text) }));
    case 'TLSA':
      return (records.TLSA ?? []).map((data) => ({ ...base, type: 'TLSA', data }));
    default:
      return [];
  }
}

interface Resolution {
  answers: Answer[];
  rcode: number;
}

function resolve(zones: Map<string, TestRecords>, name: string, type: string, ttl: number): Resolution {
  const answers: Answer[] = [];
  let current = key(name);
  for (let hop = 0; hop <= MAX_CNAME_HOPS; hop++) {
    const records = zones.get(current);
    if (!records) {
      const emptyNonTerminal = [...zones.keys()].some((other) => other.endsWith(`.${current}`));
      return { answers, rcode: emptyNonTerminal ? RCODE.noError : RCODE.nxdomain };
    }
    const alias = type === 'CNAME' ? undefined : records.CNAME?.[0];
    if (alias === undefined) {
      answers.push(...answersOf(current, type, records, ttl));
      return { answers, rcode: RCODE.noError };
    }
    answers.push(...answersOf(current, 'CNAME', records, ttl));
    current = key(alias);
  }
  return { answers, rcode: RCODE.servfail };
}

function encodeReply(query: DecodedPacket, answers: Answer[], rcode: number, maxBytes: number): Buffer {
  const reply = {
    id: query.id ?? 0,
    type: 'response' as const,
    flags: packet.AUTHORITATIVE_ANSWER | packet.RECURSION_AVAILABLE | rcode,
    questions: query.questions ?? [],
  };
  const whole = packet.encode({ ...reply, answers });
  if (whole.length <= maxBytes) return whole;
  return packet.encode({ ...reply, flags: reply.flags | packet.TRUNCATED_RESPONSE, answers: [] });
}

function udpLimit(query: DecodedPacket): number {
  const opt = query.additionals?.find((record) => record.type === 'OPT');
  return opt?.type === 'OPT' ? Math.max(512, opt.udpPayloadSize) : 512;
}

async function bindBoth(tcp: Server, attempt = 1): Promise<{ udp: UdpSocket; port: number }> {
  await new Promise<void>((resolve, reject) => {
    tcp.once('error', reject);
    tcp.listen(0, '127.0.0.1', resolve);
  });
  const bound = tcp.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  const udp = createSocket('udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      udp.once('error', reject);
      udp.bind(port, '127.0.0.1', resolve);
    });
    return { udp, port };
  } catch (error) {
    // The UDP counterpart of a free TCP port may be in use, so another pair is tried.
    udp.close();
    await new Promise((resolve) => tcp.close(resolve));
    if (attempt >= 10) throw error;
    return bindBoth(tcp, attempt + 1);
  }
}

function readFrames(socket: Socket, onMessage: (message: Buffer) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      onMessage(pending.subarray(2, end));
      pending = pending.subarray(end);
    }
  });
  // A client that resets its connection is of no interest to a test.
  socket.on('error', () => socket.destroy());
}

/** Starts the server. Names that are not in `zones` return NXDOMAIN, known names without the requested type NODATA. */
export async function startDnsServer(
  options: { zones?: Record<string, TestRecords>; ttlSeconds?: number } = {},
): Promise<TestDnsServer> {
  const zones = new Map(
    Object.entries(options.zones ?? {}).map(([name, records]) => [key(name), { ...records }]),
  );
  const faults = new Map<string, DnsFault>();
  const queries: DnsQuery[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const sockets = new Set<Socket>();

  const handle = (message: Buffer, transport: 'udp' | 'tcp', send: (reply: Buffer) => void): void => {
    const query = packet.decode(message);
    const question = query.questions?.[0];
    if (!question) return;
    queries.push({ name: key(question.name), type: question.type, transport });
    const fault =
      faults.get(`${question.type} ${key(question.name)}`) ?? faults.get(`* ${key(question.name)}`);
    if (fault === 'drop') return;
    const limit = transport === 'udp' ? udpLimit(query) : 65535;
    if (fault === 'servfail' || fault === 'refused') {
      send(encodeReply(query, [], RCODE[fault], limit));
      return;
    }
    const { answers, rcode } = resolve(zones, question.name, question.type, options.ttlSeconds ?? 300);
    const reply = encodeReply(query, answers, rcode, limit);
    if (!fault) {
      send(reply);
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      send(reply);
    }, fault.delayMs);
    timers.add(timer);
  };

  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    readFrames(socket, (message) =>
      handle(message, 'tcp', (reply) => {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(reply.length);
        socket.write(Buffer.concat([length, reply]));
      }),
    );
  });
  const { udp, port } = await bindBoth(tcp);
  udp.on('message', (message, peer) =>
    handle(message, 'udp', (reply) => udp.send(reply, peer.port, peer.address)),
  );

  return {
    address: `127.0.0.1:${port}`,
    port,
    queries,
    set: (name, type, records) => zones.set(key(name), { ...zones.get(key(name)), [type]: records }),
    remove: (name, type) => {
      const records = zones.get(key(name));
      if (!records) return;
      if (type) zones.set(key(name), { ...records, [type]: [] });
      else zones.delete(key(name));
    },
    fault: (name, fault, type) => {
      const slot = `${type ?? '*'} ${key(name)}`;
      if (fault) faults.set(slot, fault);
      else faults.delete(slot);
    },
    clear: () => {
      zones.clear();
      faults.clear();
      queries.length = 0;
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}
