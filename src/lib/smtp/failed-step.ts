// Represents a failed step of opening a session as a value.

import type { TlsProblem } from '../tls-policy/index.js';
import type { SmtpReply } from './reply-reader.js';
import { isReply, type ReplyOrLoss } from './wire.js';

export type ConnectPhase = 'connect' | 'greeting' | 'ehlo' | 'starttls' | 'tls' | 'auth';

export interface FailedStep {
  failed: ConnectPhase;
  reply: SmtpReply | null;
  error: string;
  problem: TlsProblem | null;
  /** The step failed inside TLS that STARTTLS established. */
  isInTls?: boolean;
}

/**
 * Builds a failed step from a refusing reply, a lost connection or a local error. `problem` is its result
 * type in TLS reports.
 */
export function failedStep(
  failed: ConnectPhase,
  cause: ReplyOrLoss | string,
  problem: TlsProblem | null = null,
): FailedStep {
  if (typeof cause === 'string') return { failed, reply: null, error: cause, problem };
  return isReply(cause)
    ? { failed, reply: cause, error: `${cause.code} ${cause.text}`, problem }
    : { failed, reply: null, error: cause.error, problem };
}
