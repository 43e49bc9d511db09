// How a step of opening a session ends badly, as a value.

import type { SmtpReply } from './reply-reader.js';
import { isReply, type Heard } from './wire.js';

export type ConnectPhase = 'connect' | 'greeting' | 'ehlo' | 'starttls' | 'tls' | 'auth';

export interface FailedStep {
  failed: ConnectPhase;
  reply: SmtpReply | null;
  error: string;
}

/** From a refusing reply, a lost connection, or words of our own. */
export function failedStep(failed: ConnectPhase, cause: Heard | string): FailedStep {
  if (typeof cause === 'string') return { failed, reply: null, error: cause };
  return isReply(cause)
    ? { failed, reply: cause, error: `${cause.code} ${cause.text}` }
    : { failed, reply: null, error: cause.error };
}
