// The steps of a delivery attempt in order: connect, greet and secure; recheck, compose and sign; envelope and data;
// interpret. Many attempts can share a session, which is opened once.
import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from '../../contract/refusal.js';
import type { AttemptResult, Peer, Reply } from '../outcome/attempt.rules.js';
import type { DeliveryOutcome, SmtpCapabilities } from '../../lib/smtp/index.js';
import type { Connected, Connector, NoSession, ReadySession } from './connector.js';
import type { PlannedHost } from './delivery-plan.rules.js';
import type { Prepared, ReadyMail } from './prepare.js';

const UNAVAILABLE_PAUSE_MS = 250;

/** Details of an attempt for its record. */
export interface AttemptRecord {
  sessionId: string | null;
  conversation: readonly string[];
  times: Readonly<Record<string, number>> | null;
}

export interface AttemptJob {
  requireTls: boolean;
  prepare(): Promise<Prepared>;
  /** Records the intent to send the final dot. Returns false if the message must not be sent. */
  beforeDot: () => Promise<boolean>;
}

type OnFault = (error: unknown) => void;

/**
 * Connects, greets and secures a session with the first host that is ready (connector.ts). An internal error puts the
 * messages that wait for the session on hold, and does not count as a failure of the host.
 */
export async function openSession(
  connector: Connector,
  hosts: readonly PlannedHost[],
  onFault: OnFault,
  signal: AbortSignal,
): Promise<Connected | { kind: 'fault'; result: AttemptResult }> {
  try {
    return await connector.connect(hosts, signal);
  } catch (error) {
    return { kind: 'fault', result: await resultOfFault(error, onFault) };
  }
}

/**
 * Rechecks, composes and signs a message (prepare.ts) in the form that the peer accepts. `offered` is `null` without a
 * peer. An internal error puts the message on hold and does not affect other messages.
 */
export async function prepareMail(
  job: AttemptJob,
  offered: SmtpCapabilities | null,
  onFault: OnFault,
): Promise<Prepared> {
  try {
    const mail = await job.prepare();
    if (mail.kind === 'ended' || offered === null || mail.eightBit === null) return mail;
    const isTaken = offered.eightBitMime && (offered.smtpUtf8 || !mail.eightBit.hasUtf8Fields);
    // If no such encoding exists, send the message as is and let the peer reject it with an explanation.
    return isTaken ? mail : (mail.eightBit.sevenBit() ?? mail);
  } catch (error) {
    return { kind: 'ended', result: await resultOfFault(error, onFault) };
  }
}

/**
 * Sends envelope and data (MAIL, RCPT, DATA and the final dot). An internal error puts the message on hold and destroys the
 * session, whose state is unknown.
 */
export async function transferMail(
  { session }: ReadySession,
  mail: ReadyMail,
  job: AttemptJob,
  onFault: OnFault,
): Promise<DeliveryOutcome | { kind: 'fault'; result: AttemptResult }> {
  try {
    return await session.deliver({
      mailFrom: mail.mailFrom,
      rcptTo: mail.rcptTo,
      size: mail.bytes.length,
      chunks: [mail.bytes],
      beforeDot: job.beforeDot,
      requireTls: job.requireTls,
      utf8Fields: mail.eightBit?.hasUtf8Fields ?? false,
      ...(mail.dsn === null ? {} : { dsn: mail.dsn }),
    });
  } catch (error) {
    session.destroy();
    return { kind: 'fault', result: await resultOfFault(error, onFault) };
  }
}

/** Converts the outcome of a transfer to the result of the attempt. */
export function interpretReplies(
  outcome: DeliveryOutcome,
  mail: ReadyMail,
  ready: ReadySession,
  provider: string | null,
): AttemptResult {
  const peer = sessionPeer(ready, provider);
  switch (outcome.kind) {
    case 'accepted': {
      // The peer supports DSN and was asked for success notifications.
      const { capabilities } = ready.session.facts;
      const tellsSuccess = mail.dsn?.notify?.includes('SUCCESS') === true && capabilities.dsn;
      return { kind: 'accepted', reply: replyOf(outcome.reply), peer, tellsSuccess };
    }
    case 'refused': {
      const { phase, local } = outcome;
      return { kind: 'refused', phase, reply: replyOf(outcome.reply), peer, local };
    }
    case 'lost':
      return { kind: 'unreachable', phase: outcome.phase, error: outcome.error, peer };
    case 'ambiguous':
      return { kind: 'ambiguous', error: outcome.error, peer };
  }
}

/** Converts the failure to open a session to the result of an attempt. */
export function interpretNoSession(failed: NoSession, provider: string | null): AttemptResult {
  const { phase, host, address, tlsPolicy } = failed;
  const peer: Peer = { host, address, localAddress: null, tls: null, tlsPolicy, provider };
  return failed.kind === 'refused'
    ? { kind: 'refused', phase, reply: failed.reply, peer }
    : { kind: 'unreachable', phase, error: failed.error, peer };
}

/** Describes the peer of a session for the record of its attempts. */
function sessionPeer({ session, tlsPolicy }: ReadySession, provider: string | null): Peer {
  const { host, address, localAddress, tls } = session.facts;
  return {
    host,
    address,
    localAddress,
    tls: tls && {
      version: tls.protocol,
      cipher: tls.cipher,
      verified: tls.verifiedBy !== null,
      error: tls.verifiedBy === null ? tls.authorizationError : null,
    },
    tlsPolicy,
    provider,
  };
}

/** Omits the lines of the reply, which are part of the conversation. */
function replyOf({ code, enhanced, text }: Reply): Reply {
  return { code, enhanced, text };
}

/** Returns `unattempted` if the store is unavailable. After any other error, the message is on hold for a while. */
export async function resultOfFault(error: unknown, onFault: OnFault): Promise<AttemptResult> {
  if (isUnavailable(error)) {
    // Without the pause, the message would be claimed again immediately.
    await pause(UNAVAILABLE_PAUSE_MS);
    return { kind: 'unattempted', stalled: false };
  }
  onFault(error);
  return { kind: 'held', reason: 'fault', message: errorText(error) };
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
