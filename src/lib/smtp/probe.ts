// Network probes for the preflight checks: is a mail host reached, what time is it elsewhere, which address
// does this machine send from. What is found out is a value, never an exception.
import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import { cleanReplyText, type ReachFact } from '../smtp-replies/index.js';
import type { AddressFamily } from '../dns-answers/index.js';
import { type Clock, rethrowProgrammingError } from '../runtime/index.js';
import {
  createAgent,
  forbiddenAddressReason,
  guardedLookup,
  resolveByDns,
  urlProblem,
} from '../http/index.js';
import type { DnsResolver } from '../dns/index.js';

/** A greeting may be late on purpose; that the connection was made is what counts. */
const GREETING_MS = 2_000;
const MAX_GREETING_BYTES = 1_024;
/** Documentation networks: a datagram socket that is connected there sends nothing, and shows the route. */
const ELSEWHERE: Record<AddressFamily, string> = { 4: '192.0.2.1', 6: '2001:db8::1' };
const DISCARD_PORT = 9;
/** The URL comes from the configuration, so it may lead into one's own network. */
const OPERATORS_WORD = { allowPrivate: true };

type ReachOutcome = ReachFact['outcome'];
type Failure = Extract<ReachOutcome, { kind: 'failed' }>;

const FAILURES: Record<string, Pick<Failure, 'why' | 'error'>> = {
  ECONNREFUSED: { why: 'refused', error: 'connection refused' },
  ETIMEDOUT: { why: 'timeout', error: 'timed out' },
  ENETUNREACH: { why: 'no_network', error: 'network unreachable' },
  ENETDOWN: { why: 'no_network', error: 'network down' },
  EHOSTUNREACH: { why: 'other', error: 'host unreachable' },
  EACCES: { why: 'other', error: 'not permitted by this machine' },
  EPERM: { why: 'other', error: 'not permitted by this machine' },
  EADDRNOTAVAIL: { why: 'not_ours', error: 'this machine does not have the source address' },
};

export interface ReachTarget {
  address: string;
  port: number;
  /** Source address; the system's choice without one. */
  localAddress?: string;
  /** For the connection; the greeting has a further 2 s at most. */
  timeoutMs: number;
  /** False where the peer waits for our TLS handshake: then the connection is all. */
  greets: boolean;
  /** Private and loopback addresses may be reached: an operator's own words. */
  allowPrivate: boolean;
}

export type PeerTime = { kind: 'told'; at: number; ourTime: number } | { kind: 'failed'; error: string };

export interface Probe {
  /** Connects, reads the first line, and takes its leave. Forbidden addresses are never connected to. */
  reach(target: ReachTarget, signal: AbortSignal): Promise<ReachOutcome>;
  /** The `Date` of an HTTP answer (to the second), and our time at the middle of the exchange; epoch ms. */
  timeAt(url: string, signal: AbortSignal): Promise<PeerTime>;
  /** The address that this machine would send from; null without a route. */
  localAddress(family: AddressFamily): Promise<string | null>;
}

export function createProbe({ resolver, clock }: { resolver: DnsResolver; clock: Clock }): Probe {
  return {
    reach: (target, signal) => {
      const reason = forbiddenAddressReason(target.address, target);
      if (reason !== null) {
        const error = `${target.address} is ${reason}`;
        return Promise.resolve({ kind: 'failed', why: 'forbidden', error });
      }
      return reach(target, signal);
    },

    async timeAt(url, signal) {
      const problem = urlProblem(url, OPERATORS_WORD);
      if (problem !== null) return { kind: 'failed', error: problem };
      const lookup = guardedLookup({ ...OPERATORS_WORD, resolve: resolveByDns(resolver) });
      const agent = createAgent({ connect: { lookup }, maxHeaderSize: 16 * 1024 });
      try {
        const before = clock();
        const { headers, body } = await agent.request(url, { method: 'HEAD', signal });
        const after = clock();
        body.resume();
        const at = Date.parse(String(headers['date']));
        if (Number.isNaN(at)) return { kind: 'failed', error: 'the response has no date' };
        // The header has whole seconds: on average half of one is cut off.
        return { kind: 'told', at: at + 500, ourTime: (before + after) / 2 };
      } catch (error) {
        rethrowProgrammingError(error);
        return { kind: 'failed', error: textOf(error) };
      } finally {
        await agent.destroy();
      }
    },

    localAddress: (family) =>
      new Promise((resolve) => {
        const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
        const finish = (address: string | null): void => {
          socket.close();
          resolve(address);
        };
        socket.once('error', () => finish(null));
        socket.once('connect', () => finish(socket.address().address));
        socket.connect(DISCARD_PORT, ELSEWHERE[family]);
      }),
  };
}

function textOf(error: unknown): string {
  return cleanReplyText(error instanceof Error ? error.message : String(error)).slice(0, 200);
}

function failureOf(error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { kind: 'failed', ...(FAILURES[code] ?? { why: 'other', error: textOf(error) }) };
}

function reach(target: ReachTarget, signal: AbortSignal): Promise<ReachOutcome> {
  return new Promise((resolve) => {
    const { address, port, localAddress, timeoutMs, greets } = target;
    const socket = connect({ host: address, port, ...(localAddress === undefined ? {} : { localAddress }) });
    let timer = setTimeout(() => finish({ kind: 'failed', why: 'timeout', error: 'timed out' }), timeoutMs);
    let isConnected = false;
    const finish = (outcome: ReachOutcome): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(outcome);
      if (outcome.kind === 'reached' && outcome.greeting !== null) leave(socket);
      else socket.destroy();
    };
    const abort = (): void =>
      finish(
        isConnected
          ? { kind: 'reached', greeting: null }
          : { kind: 'failed', why: 'timeout', error: 'timed out' },
      );
    signal.addEventListener('abort', abort);
    socket.on('error', (error) =>
      finish(isConnected ? { kind: 'reached', greeting: null } : failureOf(error)),
    );
    socket.once('connect', () => {
      isConnected = true;
      clearTimeout(timer);
      timer = setTimeout(() => finish({ kind: 'reached', greeting: null }), greets ? GREETING_MS : 0);
    });
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1', 0, MAX_GREETING_BYTES - received.length);
      const line = /^[^\r\n]+/.exec(received)?.[0] ?? '';
      const isWhole = /[\r\n]/.test(received) || received.length >= MAX_GREETING_BYTES;
      // The code is what cleanReplyText takes off a continued line.
      if (isWhole) finish({ kind: 'reached', greeting: `${line.slice(0, 3)} ${cleanReplyText(line)}` });
    });
    socket.once('end', () => finish({ kind: 'reached', greeting: null }));
    if (signal.aborted) abort();
  });
}

/** A polite end; whatever the peer does then is of no interest. */
function leave(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  socket.setTimeout(GREETING_MS, () => socket.destroy());
  socket.end('QUIT\r\n');
}
