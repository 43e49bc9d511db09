// Opens an SMTP session (RFC 5321 section 3.1, STARTTLS RFC 3207, AUTH RFC 4954): one attempt at one address.
// The caller decides on the next address and on a retry without TLS.

import { performance } from 'node:perf_hooks';
import type { TlsProblem } from '../tls-policy/index.js';
import { systemClock } from '../runtime/index.js';
import { authenticate, type Credentials } from './auth.js';
import { NO_CAPABILITIES, parseCapabilities, type SmtpCapabilities } from './capabilities.js';
import { SmtpSession } from './client-session.js';
import { failedStep, type ConnectPhase, type FailedStep } from './failed-step.js';
import { GIVEN_UP, openSocket } from './open-socket.js';
import {
  startStopwatch,
  type PhaseTimes,
  type Stopwatch,
  DEFAULT_SMTP_TIMEOUTS,
  type SmtpTimeouts,
} from './timeouts.js';
import type { SmtpReply } from './reply-reader.js';
import {
  clientTlsOptions,
  readChain,
  readTlsFacts,
  type SmtpTlsOptions,
  type TlsFacts,
} from './tls-facts.js';
import { isReply, SmtpWire } from './wire.js';

export interface SmtpConnectOptions {
  /** The peer's name (MX host), for TLS and the record. It is not looked up. */
  host: string;
  /** The IP address to connect to; IPv6 with or without brackets. */
  address: string;
  port: number;
  /** Source address, of the same family. */
  localAddress?: string;
  ehloName: string;
  /** Overrides of `DEFAULT_SMTP_TIMEOUTS`. */
  timeouts?: Partial<SmtpTimeouts>;
  tls: SmtpTlsOptions;
  /** Sent only over TLS, or if `tls.mode` is `none`. */
  auth?: Credentials;
  /** Aborts the opening; no effect afterwards. */
  signal?: AbortSignal;
}

export type ConnectOutcome =
  | { kind: 'ready'; session: SmtpSession }
  | {
      kind: 'failed';
      phase: ConnectPhase;
      /** The refusing reply; `null` if there was none. */
      reply: SmtpReply | null;
      error: string;
      /** The system's code if the connection failed, such as `ECONNREFUSED`; `null` in other phases. */
      errorCode: string | null;
      /** The source address cannot be used, which says nothing about the peer. */
      sourceFailed: boolean;
      /** TLS was requested and failed. */
      tlsFailed: boolean;
      /** TLS failed, and the mode allows a new connection without it. */
      retryWithoutTls: boolean;
      /** The peer only has TLS versions older than those offered. */
      isTlsTooOld: boolean;
      /**
       * The handshake succeeded, and then the peer was lost without a reply to the first command inside TLS.
       */
      diedInTls: boolean;
      /** Local end of the connection; `null` if there was no connection. */
      localAddress: string | null;
      /** The result type of TLS reports (RFC 8460 section 4.3); `null` if TLS is not the cause. */
      tlsProblem: TlsProblem | null;
      conversation: readonly string[];
      /** As in `SessionFacts`. */
      times: PhaseTimes;
    };

interface Opened {
  capabilities: SmtpCapabilities;
  tls: TlsFacts | null;
}

/**
 * Resolves to a session ready for `deliver`, or to the failure with everything closed. Never rejects because
 * of the peer.
 */
export async function connectSmtp(options: SmtpConnectOptions): Promise<ConnectOutcome> {
  if (/[^!-~]/.test(options.ehloName) || options.ehloName === '')
    throw new Error('ehloName must be printable ASCII');
  const timeouts = { ...DEFAULT_SMTP_TIMEOUTS, ...options.timeouts };
  const watch = startStopwatch();
  const socket = await openSocket(options, timeouts.connectMs);
  watch.lap('connect');
  if ('isOurs' in socket) {
    const { error, errorCode, isOurs } = socket;
    const failed = failure(failedStep('connect', error), options, [], watch.times);
    return { ...failed, errorCode, sourceFailed: isOurs };
  }

  // Read now, because a socket forgets its addresses once it has ended.
  const { localAddress = null, localPort = null } = socket;
  const wire = new SmtpWire(socket);
  const giveUp = (): void => void wire.lose('closed', GIVEN_UP);
  options.signal?.addEventListener('abort', giveUp);
  if (options.signal?.aborted === true) giveUp();
  const opened = await open(wire, options, timeouts, watch);
  options.signal?.removeEventListener('abort', giveUp);
  if ('failed' in opened) {
    const conversation = [...wire.log];
    wire.lose('closed', 'the session did not open');
    return { ...failure(opened, options, conversation, watch.times), localAddress };
  }
  const { host, address } = options;
  const facts = { host, address, localAddress, localPort, ...opened, times: watch.times };
  return { kind: 'ready', session: new SmtpSession(wire, facts, timeouts) };
}

/** OpenSSL's texts for the peer's alert 70, and for a peer that answers in an unsupported version. */
const NO_COMMON_VERSION = /alert protocol version|unsupported protocol/;

function failure(
  step: FailedStep,
  options: SmtpConnectOptions,
  conversation: readonly string[],
  times: PhaseTimes,
): Extract<ConnectOutcome, { kind: 'failed' }> {
  const { failed: phase, reply, error, problem } = step;
  const tlsFailed = phase === 'starttls' || phase === 'tls';
  return {
    kind: 'failed',
    phase,
    reply,
    error,
    errorCode: null,
    sourceFailed: false,
    tlsFailed,
    retryWithoutTls: tlsFailed && options.tls.mode === 'opportunistic',
    isTlsTooOld: phase === 'tls' && NO_COMMON_VERSION.test(error),
    diedInTls: step.isInTls === true && reply === null,
    localAddress: null,
    tlsProblem: problem,
    conversation,
    times,
  };
}

async function open(
  wire: SmtpWire,
  options: SmtpConnectOptions,
  timeouts: SmtpTimeouts,
  watch: Stopwatch,
): Promise<Opened | FailedStep> {
  let tls: TlsFacts | null = null;
  if (options.tls.mode === 'implicit') {
    const secured = await secure(wire, options, timeouts.starttlsMs);
    watch.lap('tls');
    if ('failed' in secured) return secured;
    tls = secured;
  }
  const greeting = await wire.reply(timeouts.greetingMs);
  watch.lap('greeting');
  if (!isReply(greeting) || greeting.code !== 220) return failedStep('greeting', greeting);

  let capabilities = await greet(wire, options.ehloName, timeouts);
  watch.lap('ehlo');
  if ('failed' in capabilities) return capabilities;

  if (tls === null && options.tls.mode !== 'none') {
    const upgraded = await startTls(wire, options, capabilities, timeouts);
    watch.lap('tls');
    if (upgraded !== null && 'failed' in upgraded) return upgraded;
    tls = upgraded;
    // An offer in plain text may be forged; RFC 3207 section 4.2 requires discarding it.
    if (tls !== null) capabilities = await greet(wire, options.ehloName, timeouts);
    watch.lap('ehlo');
    if ('failed' in capabilities) return { ...capabilities, isInTls: tls !== null };
  }
  if (options.auth !== undefined) {
    if (tls === null && options.tls.mode !== 'none') {
      return failedStep('auth', 'credentials are not sent without TLS');
    }
    const refusal = await authenticate(wire, options.auth, capabilities.auth, timeouts.authMs);
    watch.lap('auth');
    if (refusal !== null) return refusal;
  }
  return { capabilities, tls };
}

async function greet(
  wire: SmtpWire,
  ehloName: string,
  timeouts: SmtpTimeouts,
): Promise<SmtpCapabilities | FailedStep> {
  wire.send([`EHLO ${ehloName}`]);
  const ehlo = await wire.reply(timeouts.ehloMs);
  if (isReply(ehlo) && ehlo.code === 250) return parseCapabilities(ehlo.lines);
  if (!isReply(ehlo) || ehlo.code < 500) return failedStep('ehlo', ehlo);
  wire.send([`HELO ${ehloName}`]);
  const helo = await wire.reply(timeouts.ehloMs);
  if (isReply(helo) && helo.code === 250) return NO_CAPABILITIES;
  // A peer that rejects at EHLO and hangs up gave its reason there.
  return failedStep('ehlo', isReply(helo) ? helo : ehlo);
}

/** Resolves to the TLS facts, to `null` if the session may continue in plain text, or to a failure. */
async function startTls(
  wire: SmtpWire,
  options: SmtpConnectOptions,
  capabilities: SmtpCapabilities,
  timeouts: SmtpTimeouts,
): Promise<TlsFacts | null | FailedStep> {
  const isOptional = options.tls.mode === 'opportunistic';
  if (!capabilities.startTls) {
    const error = 'the peer does not offer STARTTLS';
    return isOptional ? null : failedStep('starttls', error, 'starttls-not-supported');
  }
  const startedAt = performance.now();
  wire.send(['STARTTLS']);
  const received = await wire.reply(timeouts.starttlsMs);
  if (!isReply(received)) return failedStep('starttls', received, 'validation-failure');
  // The peer closes for a reason unrelated to TLS.
  if (received.code === 421) return failedStep('starttls', received);
  if (received.code !== 220)
    return isOptional ? null : failedStep('starttls', received, 'starttls-not-supported');
  const leftMs = timeouts.starttlsMs - (performance.now() - startedAt);
  return secure(wire, options, Math.max(1, Math.round(leftMs)));
}

const OLD_PROTOCOLS = new Set(['SSLv3', 'TLSv1', 'TLSv1.1']);

async function secure(
  wire: SmtpWire,
  options: SmtpConnectOptions,
  timeoutMs: number,
): Promise<TlsFacts | FailedStep> {
  const { host, tls } = options;
  const socket = await wire.secure(clientTlsOptions(host, tls), timeoutMs);
  if ('lost' in socket) return failedStep('tls', socket, 'validation-failure');
  const facts = readTlsFacts(socket, host, tls);
  const decision = tls.check?.({ facts, chain: readChain(socket), at: systemClock() });
  if (decision?.kind === 'accepted') facts.verifiedBy = decision.verifiedBy;
  const how = facts.verifiedBy === 'dane' ? 'verified by TLSA' : (facts.authorizationError ?? 'verified');
  wire.log.push(`* ${facts.protocol} ${facts.cipher} ${how}`);
  // A context from the caller has its own minimum, and Node then ignores `minVersion`.
  if (tls.minVersion !== undefined && OLD_PROTOCOLS.has(facts.protocol)) {
    return failedStep('tls', `${facts.protocol} is too old`, 'validation-failure');
  }
  if (decision?.kind === 'rejected') return failedStep('tls', decision.error, decision.problem);
  if (tls.verify && !facts.authorized) {
    const error = `certificate not verified: ${facts.authorizationError ?? 'unknown'}`;
    return failedStep('tls', error, facts.problem);
  }
  return facts;
}
