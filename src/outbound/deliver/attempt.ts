// The steps of one attempt, in their order: connect, greet, secure; recheck, compose, sign; envelope, data; interpret. A
// session makes many attempts, so that its own three steps come once.
import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from '../../contract/refusal.js';
import type { AttemptResult, Peer, Reply } from '../outcome/attempt.rules.js';
import type { DeliveryOutcome, SmtpCapabilities } from '../../lib/smtp/index.js';
import type { Connected, Connector, NoSession, ReadySession } from './connector.js';
import type { PlannedHost } from './delivery-plan.rules.js';
import type { Prepared, ReadyMail } from './prepare.js';

const UNAVAILABLE_PAUSE_MS = 250;

/** Facts of an attempt for its record. */
export interface AttemptRecord {
  sessionId: string | null;
  conversation: readonly string[];
  times: Readonly<Record<string, number>> | null;
}

/** One message to deliver. */
export interface AttemptJob {
  requireTls: boolean;
  prepare(): Promise<Prepared>;
  /** Makes the coming final dot durable; false forbids it. */
  beforeDot: () => Promise<boolean>;
}

type OnFault = (error: unknown) => void;

/**
 * Connect, greet, secure: a session with the first host that is ready (connector.ts). An internal error holds the mail that waits for
 * the session, and says nothing about the host.
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
 * Recheck, compose, sign (prepare.ts), in the form that the peer takes; null: there is no peer. A fault of ours holds the
 * message: it has not left, and its neighbours go on.
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
    // Without such a form the peer's own terms decide, which refuses it in words.
    return isTaken ? mail : (mail.eightBit.sevenBit() ?? mail);
  } catch (error) {
    return { kind: 'ended', result: await resultOfFault(error, onFault) };
  }
}

/**
 * Envelope and data: MAIL, RCPT, DATA, the final dot. After a fault of ours the message waits, and the session, whose state
 * is unknown, is destroyed.
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

/** Interpret: what the peer's replies are as the result of the attempt. */
export function interpretReplies(
  outcome: DeliveryOutcome,
  mail: ReadyMail,
  ready: ReadySession,
  provider: string | null,
): AttemptResult {
  const peer = sessionPeer(ready, provider);
  switch (outcome.kind) {
    case 'accepted': {
      // The peer was asked to report a delivery, and does.
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

/** The same where no session came about. */
export function interpretNoSession(failed: NoSession, provider: string | null): AttemptResult {
  const { phase, host, address, tlsPolicy } = failed;
  const peer: Peer = { host, address, localAddress: null, tls: null, tlsPolicy, provider };
  return failed.kind === 'refused'
    ? { kind: 'refused', phase, reply: failed.reply, peer }
    : { kind: 'unreachable', phase, error: failed.error, peer };
}

/** The peer of an open session, for the record of its attempts. */
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

/** Without the single lines, which the conversation has. */
function replyOf({ code, enhanced, text }: Reply): Reply {
  return { code, enhanced, text };
}

/** A message that the store cannot be asked about goes back as it was, unattempted; after a fault of the program it is held for a while. */
export async function resultOfFault(error: unknown, onFault: OnFault): Promise<AttemptResult> {
  if (isUnavailable(error)) {
    // The queue would hand it out again immediately.
    await pause(UNAVAILABLE_PAUSE_MS);
    return { kind: 'unattempted', stalled: false };
  }
  onFault(error);
  return { kind: 'held', reason: 'fault', message: errorText(error) };
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
