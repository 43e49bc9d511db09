// Opening an SMTP session (RFC 5321 section 3.1, STARTTLS RFC 3207, AUTH RFC 4954): one address, one try. Which
// address comes next, and whether to come back without TLS, is for the caller.

import { connect as connectTcp, type Socket, type TcpNetConnectOpts } from 'node:net';
import { performance } from 'node:perf_hooks';
import { authenticate, type Credentials } from './auth.js';
import { NO_CAPABILITIES, parseCapabilities, type SmtpCapabilities } from './capabilities.js';
import { SmtpSession } from './client-session.js';
import { failedStep, type ConnectPhase, type FailedStep } from './failed-step.js';
import type { SmtpReply } from './reply-reader.js';
import { DEFAULT_SMTP_TIMEOUTS, type SmtpTimeouts } from './timeouts.js';
import { clientTlsOptions, readTlsFacts, type SmtpTlsOptions, type TlsFacts } from './tls-facts.js';
import { isReply, SmtpWire } from './wire.js';

export interface SmtpConnectOptions {
  /** The peer's name (MX host): for TLS and the record. It is not looked up. */
  host: string;
  /** The IP address to connect to. */
  address: string;
  port: number;
  /** Our source address. */
  localAddress?: string;
  ehloName: string;
  /** Those that differ from `DEFAULT_SMTP_TIMEOUTS`. */
  timeouts?: Partial<SmtpTimeouts>;
  tls: SmtpTlsOptions;
  /** Sent over TLS only, or when `tls.mode` is `none`. */
  auth?: Credentials;
}

export type ConnectOutcome =
  | { kind: 'ready'; session: SmtpSession }
  | {
      kind: 'failed';
      phase: ConnectPhase;
      /** The refusing reply; null when there was none to blame. */
      reply: SmtpReply | null;
      error: string;
      /** TLS was wanted and is what failed. */
      tlsFailed: boolean;
      /** TLS failed, and the mode allows a new connection without it. */
      retryWithoutTls: boolean;
      conversation: readonly string[];
    };

interface Opened {
  capabilities: SmtpCapabilities;
  tls: TlsFacts | null;
}

/** Resolves to a session ready for `deliver`, or to what went wrong; then nothing stays open. Never rejects for the peer. */
export async function connectSmtp(options: SmtpConnectOptions): Promise<ConnectOutcome> {
  if (/[^!-~]/.test(options.ehloName) || options.ehloName === '')
    throw new Error('ehloName must be printable ASCII');
  const timeouts = { ...DEFAULT_SMTP_TIMEOUTS, ...options.timeouts };
  const socket = await openSocket(options, timeouts.connectMs);
  if (typeof socket === 'string') return failure(failedStep('connect', socket), options, []);

  const wire = new SmtpWire(socket);
  const opened = await open(wire, options, timeouts);
  if ('failed' in opened) {
    const conversation = [...wire.log];
    wire.lose('closed', 'the session did not open');
    return failure(opened, options, conversation);
  }
  const { host, address } = options;
  return { kind: 'ready', session: new SmtpSession(wire, { host, address, ...opened }, timeouts) };
}

function failure(
  step: FailedStep,
  options: SmtpConnectOptions,
  conversation: readonly string[],
): ConnectOutcome {
  const { failed: phase, reply, error } = step;
  const tlsFailed = phase === 'starttls' || phase === 'tls';
  const retryWithoutTls = tlsFailed && options.tls.mode === 'opportunistic';
  return { kind: 'failed', phase, reply, error, tlsFailed, retryWithoutTls, conversation };
}

async function open(
  wire: SmtpWire,
  options: SmtpConnectOptions,
  timeouts: SmtpTimeouts,
): Promise<Opened | FailedStep> {
  let tls: TlsFacts | null = null;
  if (options.tls.mode === 'implicit') {
    const secured = await secure(wire, options, timeouts.starttlsMs);
    if ('failed' in secured) return secured;
    tls = secured;
  }
  const greeting = await wire.reply(timeouts.greetingMs);
  if (!isReply(greeting) || greeting.code !== 220) return failedStep('greeting', greeting);

  let capabilities = await greet(wire, options.ehloName, timeouts);
  if ('failed' in capabilities) return capabilities;

  if (tls === null && options.tls.mode !== 'none') {
    const upgraded = await startTls(wire, options, capabilities, timeouts);
    if (upgraded !== null && 'failed' in upgraded) return upgraded;
    tls = upgraded;
    // What was offered in clear may have been forged; RFC 3207 section 4.2 wants it forgotten.
    if (tls !== null) capabilities = await greet(wire, options.ehloName, timeouts);
    if ('failed' in capabilities) return capabilities;
  }
  if (options.auth !== undefined) {
    if (tls === null && options.tls.mode !== 'none') {
      return failedStep('auth', 'credentials are not sent without TLS');
    }
    const refusal = await authenticate(wire, options.auth, capabilities.auth, timeouts.authMs);
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
  // A peer that rejects us at EHLO and hangs up gave its reason there.
  return failedStep('ehlo', isReply(helo) ? helo : ehlo);
}

/** The facts of TLS, or null when the session goes on in clear, as it may. */
async function startTls(
  wire: SmtpWire,
  options: SmtpConnectOptions,
  capabilities: SmtpCapabilities,
  timeouts: SmtpTimeouts,
): Promise<TlsFacts | null | FailedStep> {
  const isOptional = options.tls.mode === 'opportunistic';
  if (!capabilities.startTls)
    return isOptional ? null : failedStep('starttls', 'the peer does not offer STARTTLS');
  const startedAt = performance.now();
  wire.send(['STARTTLS']);
  const heard = await wire.reply(timeouts.starttlsMs);
  if (!isReply(heard)) return failedStep('starttls', heard);
  if (heard.code !== 220) return isOptional && heard.code !== 421 ? null : failedStep('starttls', heard);
  const leftMs = timeouts.starttlsMs - (performance.now() - startedAt);
  return secure(wire, options, Math.max(1, Math.round(leftMs)));
}

async function secure(
  wire: SmtpWire,
  options: SmtpConnectOptions,
  timeoutMs: number,
): Promise<TlsFacts | FailedStep> {
  const socket = await wire.secure(clientTlsOptions(options.host, options.tls), timeoutMs);
  if ('lost' in socket) return failedStep('tls', socket);
  const facts = readTlsFacts(socket, options.host);
  if (options.tls.verify && !facts.authorized) {
    return failedStep('tls', `certificate not verified: ${facts.authorizationError ?? 'unknown'}`);
  }
  wire.log.push(`* ${facts.protocol} ${facts.cipher} ${facts.authorizationError ?? 'verified'}`);
  return facts;
}

/** A connected socket, or why there is none. */
function openSocket(options: SmtpConnectOptions, timeoutMs: number): Promise<Socket | string> {
  return new Promise((resolve) => {
    const target: TcpNetConnectOpts = { host: options.address, port: options.port, noDelay: true };
    if (options.localAddress !== undefined) target.localAddress = options.localAddress;
    const socket = connectTcp(target);
    const settle = (result: Socket | string): void => {
      clearTimeout(timer);
      socket.removeListener('error', fail);
      if (typeof result === 'string') socket.destroy();
      resolve(result);
    };
    const fail = (error: Error): void => settle(error.message);
    const timer = setTimeout(() => settle(`no connection within ${timeoutMs} ms`), timeoutMs);
    socket.once('error', fail);
    socket.once('connect', () => settle(socket));
  });
}
