// Probes the network for preflight checks: whether a mail host is reachable, the time elsewhere, and the
// address this machine sends from. Results are values, never exceptions.
import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import { forbiddenAddressReason } from '../addresses/index.js';
import { cleanReplyText, type ReachFact } from '../smtp-replies/index.js';
import type { AddressFamily } from '../dns-answers/index.js';
import { type Clock, rethrowProgrammingError } from '../runtime/index.js';
import { createAgent, guardedLookup, resolveByDns, urlProblem } from '../http/index.js';
import type { DnsResolver } from '../dns/index.js';

/** A greeting may be delayed on purpose; the connection alone counts. */
const GREETING_MS = 2_000;
const MAX_GREETING_BYTES = 1_024;
/** Documentation networks. Connecting a datagram socket there sends nothing but reveals the route. */
const ELSEWHERE: Record<AddressFamily, string> = { 4: '192.0.2.1', 6: '2001:db8::1' };
const DISCARD_PORT = 9;
/** The operator configured the URL, so it may lead into a private network. */
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
  /** Source address; the system chooses if absent. */
  localAddress?: string;
  /** Limit of the connection; the greeting has another 2 s. */
  timeoutMs: number;
  /** False if the peer waits for a TLS handshake; then only the connection is tested. */
  greets: boolean;
  /** Allows private and loopback addresses, for targets that the operator configured. */
  allowPrivate: boolean;
}

type PeerTime = { kind: 'told'; at: number; ourTime: number } | { kind: 'failed'; error: string };

export interface Probe {
  /** Connects, reads the first line, and says QUIT. Never connects to forbidden addresses. */
  reach(target: ReachTarget, signal: AbortSignal): Promise<ReachOutcome>;
  /**
   * Fetches the `Date` of an HTTP response (precise to the second), with the local time at the middle of the
   * exchange; epoch ms.
   */
  timeAt(url: string, signal: AbortSignal): Promise<PeerTime>;
  /** Resolves to the address that this machine would send from, or to `null` without a route. */
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
        // The header has whole seconds, so it is half a second behind on average.
        return { kind: 'told', at: at + 500, ourTime: (before + after) / 2 };
      } catch (error) {
        rethrowProgrammingError(error);
        return { kind: 'failed', error: describe(error) };
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

function describe(error: unknown): string {
  return cleanReplyText(error instanceof Error ? error.message : String(error)).slice(0, 200);
}

function toFailure(error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { kind: 'failed', ...(FAILURES[code] ?? { why: 'other', error: describe(error) }) };
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
      finish(isConnected ? { kind: 'reached', greeting: null } : toFailure(error)),
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
      // `cleanReplyText` removes the code of a continued line.
      if (isWhole) finish({ kind: 'reached', greeting: `${line.slice(0, 3)} ${cleanReplyText(line)}` });
    });
    socket.once('end', () => finish({ kind: 'reached', greeting: null }));
    if (signal.aborted) abort();
  });
}

/** Says QUIT and ignores everything that follows. */
function leave(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  socket.setTimeout(GREETING_MS, () => socket.destroy());
  socket.end('QUIT\r\n');
}
