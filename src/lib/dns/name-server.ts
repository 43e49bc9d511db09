// Runs the sockets of the name server: UDP and TCP on one port (RFC 1035 section 4.2, RFC 7766), with limits
// per client. `answer` supplies the answers.
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { clientKeys, gcraCapacity, gcraTake, type RateLimit } from '../rate-limits/index.js';
import type { ZoneAnswer, ZoneQuestion } from '../dns-answers/index.js';
import { type Clock, type Log, createLruCache } from '../runtime/index.js';
import { createSemaphore } from '../concurrency/index.js';
import {
  encodeAnswer,
  encodeFailure,
  encodeTruncated,
  MAX_TCP_BYTES,
  readQuery,
  type DnsQuery,
} from './zone-wire.js';

interface NameServerLimits {
  /** Answers to one client network over UDP, and as many over TCP; 0 turns the limit off. */
  perNetworkPerMinute: number;
  /** Datagrams that are read in total; 0 turns the limit off. */
  totalPerMinute: number;
  /** Open TCP connections; one network may have a fifth of them. */
  connections: number;
  /** Maximum time between two queries of a connection. */
  idleMs: number;
}

export interface NameServerOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  limits: NameServerLimits;
  /** Answers a question. A rejection becomes SERVFAIL. */
  answer: (question: ZoneQuestion) => ZoneAnswer | Promise<ZoneAnswer>;
  clock: Clock;
  log: Pick<Log, 'error' | 'warn'>;
}

export type NameServerListening = { ok: true; address: AddressInfo } | { ok: false; reason: string };

export interface NameServer {
  /** Resolves with a reason if the port cannot be bound, because mail must not wait for the name server. */
  start(): Promise<NameServerListening>;
  stop(): Promise<void>;
}

/**
 * Answers in progress, which only pile up if the store is slow. Further queries get no answer, and their
 * clients ask again.
 */
const MAX_ANSWERS = 500;
/** Four times the size of any real query. */
const MAX_QUERY_BYTES = 4_096;
const NETWORK_SHARE = 5;
/** The UDP port of the same number may be taken. */
const FREE_PORT_TRIES = 10;

const REASONS: Record<string, string> = {
  EACCES: 'no permission to use this port',
  EADDRINUSE: "another program is using this port, often the machine's own resolver",
  EADDRNOTAVAIL: 'this machine does not have this address',
};

export function createNameServer(options: NameServerOptions): NameServer {
  const { limits, log } = options;
  const rates = createAnswerRates(limits, options.clock);
  const streams = createStreamService(limits, rates, replyTo);
  let udp: UdpSocket | null = null;
  let tcp: Server | null = null;
  const answers = createSemaphore(MAX_ANSWERS);

  /** Resolves to `null` if too many answers are in progress. */
  async function answerTo(query: DnsQuery, maxBytes: number): Promise<Buffer | null> {
    try {
      return await answers.tryRun(
        async () => encodeAnswer(query, await options.answer(query.question), maxBytes),
        0,
      );
    } catch (err) {
      log.error({ err }, 'name server failed');
      return encodeFailure(query);
    }
  }

  function receive(socket: UdpSocket, message: Buffer, peer: RemoteInfo): void {
    // Port 0 cannot be answered; the system throws.
    if (peer.port === 0 || !rates.hasRoom()) return;
    const read = readQuery(message);
    if (read.kind === 'silence') return;
    const decision = rates.ofUdp(peer.address);
    if (decision === 'drop') return;
    const send = (reply: Buffer): void => {
      // A client that gets no reply asks again.
      if (udp === socket) socket.send(reply, peer.port, peer.address, () => undefined);
    };
    if (read.kind === 'reply') send(read.reply);
    else if (decision === 'slip') send(encodeTruncated(read.query));
    else void answerTo(read.query, read.query.maxUdpBytes).then((reply) => reply && send(reply));
  }

  async function replyTo(message: Buffer): Promise<Buffer | null> {
    const read = readQuery(message);
    if (read.kind === 'query') return answerTo(read.query, MAX_TCP_BYTES);
    return read.kind === 'reply' ? read.reply : null;
  }

  return {
    async start() {
      try {
        const bound = await bindBoth(options, streams.accept);
        const { udp: socket } = bound;
        socket.on('message', (message, peer) => receive(socket, message, peer));
        socket.on('error', (err) => log.error({ err }, 'name server socket failed'));
        bound.tcp.on('error', (err) => log.error({ err }, 'name server socket failed'));
        [udp, tcp] = [socket, bound.tcp];
        return { ok: true, address: socket.address() };
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        const why = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
        return { ok: false, reason: `${options.host}, port ${options.port}: ${why}` };
      }
    },

    async stop() {
      const [socket, server] = [udp, tcp];
      udp = tcp = null;
      streams.destroy();
      await Promise.all([
        new Promise<void>((resolve) => (socket === null ? resolve() : socket.close(resolve))),
        new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve()))),
      ]);
    },
  };
}

/** Serves TCP connections, which may send several queries each. */
function createStreamService(
  limits: NameServerLimits,
  rates: AnswerRates,
  replyTo: (message: Buffer) => Promise<Buffer | null>,
) {
  const connections = createConnectionCount(limits.connections);
  const sockets = new Set<Socket>();

  function accept(socket: Socket): void {
    const leave = connections.enter(socket.remoteAddress);
    if (leave === null) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => {
      leave();
      sockets.delete(socket);
    });
    // The socket may also fail before it is read.
    socket.on('error', () => socket.destroy());
    serve(socket).then(
      () => socket.end(),
      () => socket.destroy(),
    );
  }

  /** Answers one query after the other, so a client that sends many waits. */
  async function serve(socket: Socket): Promise<void> {
    const network = socket.remoteAddress ?? '';
    let timer = setTimeout(() => socket.destroy(), limits.idleMs);
    let pending = Buffer.alloc(0);
    try {
      for await (const chunk of socket) {
        pending = Buffer.concat([pending, chunk as Buffer]);
        for (let length = frameLength(pending); length !== null; length = frameLength(pending)) {
          const message = pending.subarray(2, 2 + length);
          pending = pending.subarray(2 + length);
          if (!rates.ofTcp(network)) return;
          const reply = await replyTo(message);
          if (reply === null) return;
          await write(socket, framed(reply));
          clearTimeout(timer);
          timer = setTimeout(() => socket.destroy(), limits.idleMs);
        }
        if (pending.length >= 2 && pending.readUInt16BE(0) > MAX_QUERY_BYTES) return;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    accept,
    destroy(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Returns the length of the next message if it has arrived completely and is short enough for a query,
 * otherwise `null`.
 */
function frameLength(pending: Buffer): number | null {
  const length = pending.length >= 2 ? pending.readUInt16BE(0) : Infinity;
  return length <= MAX_QUERY_BYTES && pending.length >= 2 + length ? length : null;
}

function framed(reply: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(reply.length);
  return Buffer.concat([length, reply]);
}

/** Resolves once more may be written, or the socket has closed. */
function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.write(bytes) || socket.destroyed) {
      resolve();
      return;
    }
    const done = (): void => {
      socket.removeListener('drain', done);
      socket.removeListener('close', done);
      resolve();
    };
    socket.once('drain', done);
    socket.once('close', done);
  });
}

/**
 * Counts connections, in total and by network. `enter` returns a function that removes the connection, or
 * `null` at a limit.
 */
function createConnectionCount(total: number) {
  const ofNetwork = new Map<string, number>();
  const perNetwork = Math.max(1, Math.ceil(total / NETWORK_SHARE));
  let all = 0;
  return {
    enter(ip: string | undefined): (() => void) | null {
      if (ip === undefined) return null;
      const { network } = clientKeys(ip);
      const here = ofNetwork.get(network) ?? 0;
      if (all >= total || here >= perNetwork) return null;
      all += 1;
      ofNetwork.set(network, here + 1);
      return () => {
        all -= 1;
        const left = (ofNetwork.get(network) ?? 1) - 1;
        if (left > 0) ofNetwork.set(network, left);
        else ofNetwork.delete(network);
      };
    },
  };
}

async function bindBoth(
  { host, port }: { host: string; port: number },
  accept: (socket: Socket) => void,
): Promise<{ udp: UdpSocket; tcp: Server }> {
  for (let attempt = 1; ; attempt += 1) {
    const tcp = createServer({ allowHalfOpen: true, noDelay: true }, accept);
    await whenBound(tcp, () => tcp.listen({ host, port }));
    const udp = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4' });
    try {
      await whenBound(udp, () => udp.bind((tcp.address() as AddressInfo).port, host));
      return { udp, tcp };
    } catch (error) {
      await new Promise((resolve) => tcp.close(resolve));
      if (port !== 0 || attempt >= FREE_PORT_TRIES) throw error;
    }
  }
}

function whenBound(socket: Server | UdpSocket, bind: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error): void => {
      socket.removeListener('error', done);
      socket.removeListener('listening', done);
      if (error) reject(error);
      else resolve();
    };
    socket.once('error', done);
    socket.once('listening', done);
    bind();
  });
}

interface AnswerRates {
  /** Counts a datagram and returns whether it may be read. */
  hasRoom(): boolean;
  ofUdp(ip: string): 'answer' | 'slip' | 'drop';
  /** Returns whether another question over TCP may be answered. */
  ofTcp(ip: string): boolean;
}

interface Use {
  tat: number;
  /** Datagrams over the limit. */
  over: number;
}

const MAX_REMEMBERED = 50_000;
const MINUTE_MS = 60_000;
const SLIP = 2;

/**
 * Limits answers per client network. Datagrams may have forged addresses, so answers above the limit are dropped, except for
 * every second one, which asks the client to use TCP. This floods no one, and a resolver whose addresses are abused still gets
 * its answers. Bursts may use the allowance of one second at once. 0 turns a limit off.
 */
function createAnswerRates(
  limits: { perNetworkPerMinute: number; totalPerMinute: number },
  clock: Clock,
): AnswerRates {
  const perNetwork = perMinuteLimit(limits.perNetworkPerMinute);
  const total = perMinuteLimit(limits.totalPerMinute);
  const used = createLruCache<string, Use>(MAX_REMEMBERED);
  let totalTat = 0;

  /** Returns `null` within the limit, otherwise how often it was exceeded since. */
  function take(key: string, limit: RateLimit): number | null {
    const now = clock();
    const use = used.get(key);
    if (gcraCapacity(use?.tat, limit, now) > 0) {
      used.set(key, { tat: gcraTake(use?.tat, limit, now), over: 0 });
      return null;
    }
    const over = (use?.over ?? 0) + 1;
    used.set(key, { tat: use?.tat ?? now, over });
    return over;
  }

  return {
    hasRoom() {
      if (total === null) return true;
      const now = clock();
      if (gcraCapacity(totalTat, total, now) === 0) return false;
      totalTat = gcraTake(totalTat, total, now);
      return true;
    },
    ofUdp(ip) {
      const over = perNetwork === null ? null : take(clientKeys(ip).network, perNetwork);
      if (over === null) return 'answer';
      return over % SLIP === 0 ? 'slip' : 'drop';
    },
    ofTcp: (ip) => perNetwork === null || take(`tcp ${clientKeys(ip).network}`, perNetwork) === null,
  };
}

function perMinuteLimit(perMinute: number): RateLimit | null {
  return perMinute === 0
    ? null
    : { count: perMinute, perMs: MINUTE_MS, burst: Math.max(1, Math.ceil(perMinute / 60)) };
}
