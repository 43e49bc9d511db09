// The sockets of our name server: UDP and TCP on one port (RFC 1035 section 4.2, RFC 7766), with limits for those who ask too
// much. It knows questions and answers; what the answer is, is for others.
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { clientKeys } from '../smtp-server/client-limits.rules.js';
import type { ZoneAnswer, ZoneQuestion } from './zone-answer.rules.js';
import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import { createAnswerRates } from './answer-rates.js';
import {
  encodeAnswer,
  encodeFailure,
  encodeTruncated,
  MAX_TCP_BYTES,
  readQuery,
  type DnsQuery,
} from './zone-wire.js';

export interface NameServerLimits {
  /** Answers to one client network by UDP, and as many by TCP; 0 is off. */
  perNetworkPerMinute: number;
  /** Datagrams that are looked at at all; 0 is off. */
  totalPerMinute: number;
  /** TCP connections at once; one network may have a fifth of them. */
  connections: number;
  /** From one question on a connection to the next. */
  idleMs: number;
}

export interface NameServerOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  limits: NameServerLimits;
  /** A rejection is answered with SERVFAIL. */
  answer: (question: ZoneQuestion) => ZoneAnswer | Promise<ZoneAnswer>;
  clock: Clock;
  log: Pick<Log, 'error' | 'warn'>;
}

export type NameServerListening = { ok: true; address: AddressInfo } | { ok: false; reason: string };

export interface NameServer {
  /** Never rejects for a port that cannot be had: mail does not wait for it. */
  start(): Promise<NameServerListening>;
  stop(): Promise<void>;
}

/** Answers under way; more than these wait for a slow store, and their askers come again. */
const MAX_IN_FLIGHT = 500;
/** No question needs a quarter of it. */
const MAX_QUERY_BYTES = 4_096;
const NETWORK_SHARE = 5;
/** The UDP twin of a free TCP port may be taken. */
const FREE_PORT_TRIES = 10;

const REASONS: Record<string, string> = {
  EACCES: 'this user may not take the port',
  EADDRINUSE: 'another program has the port, often the resolver of the machine itself',
  EADDRNOTAVAIL: 'the address is none of this machine',
};

export function createNameServer(options: NameServerOptions): NameServer {
  const { limits, log } = options;
  const rates = createAnswerRates(limits, options.clock);
  const connections = createConnectionCount(limits.connections);
  const sockets = new Set<Socket>();
  let udp: UdpSocket | null = null;
  let tcp: Server | null = null;
  let inFlight = 0;

  /** Null: too much waits already. */
  async function answerTo(query: DnsQuery, maxBytes: number): Promise<Buffer | null> {
    if (inFlight >= MAX_IN_FLIGHT) return null;
    inFlight += 1;
    try {
      return encodeAnswer(query, await options.answer(query.question), maxBytes);
    } catch (err) {
      log.error({ err }, 'name server fault');
      return encodeFailure(query);
    } finally {
      inFlight -= 1;
    }
  }

  function hear(socket: UdpSocket, message: Buffer, peer: RemoteInfo): void {
    // Nobody can be answered at port 0, which the system would refuse with an exception.
    if (peer.port === 0 || !rates.hasRoom()) return;
    const read = readQuery(message);
    if (read.kind === 'silence') return;
    const verdict = rates.ofUdp(peer.address);
    if (verdict === 'drop') return;
    const send = (reply: Buffer): void => {
      // The asker may be gone, and comes again if not.
      if (udp === socket) socket.send(reply, peer.port, peer.address, () => undefined);
    };
    if (read.kind === 'reply') send(read.reply);
    else if (verdict === 'slip') send(encodeTruncated(read.query));
    else void answerTo(read.query, read.query.maxUdpBytes).then((reply) => reply && send(reply));
  }

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
    // Also where it breaks before anybody reads it.
    socket.on('error', () => socket.destroy());
    converse(socket).then(
      () => socket.end(),
      () => socket.destroy(),
    );
  }

  /** One question after the other: who sends many at once waits for the answers. */
  async function converse(socket: Socket): Promise<void> {
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

  async function replyTo(message: Buffer): Promise<Buffer | null> {
    const read = readQuery(message);
    if (read.kind === 'query') return answerTo(read.query, MAX_TCP_BYTES);
    return read.kind === 'reply' ? read.reply : null;
  }

  return {
    async start() {
      try {
        const bound = await bindBoth(options, accept);
        const { udp: socket } = bound;
        socket.on('message', (message, peer) => hear(socket, message, peer));
        socket.on('error', (err) => log.error({ err }, 'name server socket fault'));
        bound.tcp.on('error', (err) => log.error({ err }, 'name server socket fault'));
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
      for (const open of sockets) open.destroy();
      await Promise.all([
        new Promise<void>((resolve) => (socket === null ? resolve() : socket.close(resolve))),
        new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve()))),
      ]);
    },
  };
}

/** The length of the message that is there as a whole, at most as long as a question may be; else null. */
function frameLength(pending: Buffer): number | null {
  const length = pending.length >= 2 ? pending.readUInt16BE(0) : Infinity;
  return length <= MAX_QUERY_BYTES && pending.length >= 2 + length ? length : null;
}

function framed(reply: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(reply.length);
  return Buffer.concat([length, reply]);
}

/** Resolves when more may be written, or when nobody reads any more. */
function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.write(bytes) || socket.destroyed) {
      resolve();
      return;
    }
    const settle = (): void => {
      socket.removeListener('drain', settle);
      socket.removeListener('close', settle);
      resolve();
    };
    socket.once('drain', settle);
    socket.once('close', settle);
  });
}

/** Counts who is connected, for all and by network; `enter` says how to leave, or null where it is full. */
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
    const settle = (error?: Error): void => {
      socket.removeListener('error', settle);
      socket.removeListener('listening', settle);
      if (error) reject(error);
      else resolve();
    };
    socket.once('error', settle);
    socket.once('listening', settle);
    bind();
  });
}
