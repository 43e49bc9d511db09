// Defines the listener's own replies, with codes of RFC 5321 section 4.2 and RFC 3463.
import type { SessionRefusal } from '../rate-limits/index.js';
import type { MessageRefusal } from './client-admission.js';
import type { ServerRefusal } from './hooks.js';

function refusal(code: number, enhanced: string, text: string): ServerRefusal {
  return { code, enhanced, text };
}

export const SHUTTING_DOWN = refusal(421, '4.3.2', 'Service shutting down');
export const OUT_OF_TIME = refusal(421, '4.4.2', 'Session time limit exceeded');
export const TOO_SLOW = refusal(421, '4.4.2', 'Message data arriving too slowly');
export const NOT_SIGNED_IN = refusal(421, '4.4.2', 'Sign-in timeout exceeded');
export const GIVES_WAY = refusal(421, '4.3.2', 'Too many sessions; closing this idle session');
export const FAULT = refusal(451, '4.3.0', 'Local error; try again later');

export const SESSION_REFUSALS: Record<SessionRefusal, ServerRefusal> = {
  all_taken: refusal(421, '4.3.2', 'Too many sessions; try again later'),
  unsigned_taken: refusal(421, '4.3.2', 'Too many unauthenticated sessions; try again later'),
  address_taken: refusal(421, '4.7.0', 'Too many sessions from your address; try again later'),
  network_taken: refusal(421, '4.7.0', 'Too many sessions from your network; try again later'),
  address_rate: refusal(421, '4.7.0', 'Too many new sessions from your address; try again later'),
  network_rate: refusal(421, '4.7.0', 'Too many new sessions from your network; try again later'),
};

export const MESSAGE_REFUSALS: Record<MessageRefusal, ServerRefusal> = {
  message_rate: refusal(452, '4.7.1', 'Too many messages from you; try again later'),
  octet_rate: refusal(452, '4.7.1', 'Too many octets from you; try again later'),
  memory: refusal(452, '4.3.1', 'Too much mail is being received; try again later'),
};

export const STORAGE_FULL = refusal(452, '4.3.1', 'Insufficient storage; try again later');
export const TOO_MANY_WRONG = refusal(421, '4.7.0', 'Too many invalid recipients');
export const TOO_MANY_HOPS = refusal(554, '5.4.6', 'Mail loop detected: too many Received headers');

/** RFC 4954 section 6. */
export const SIGN_IN_FAULT = refusal(454, '4.7.0', "Can't check credentials now; try again later");
export const ACCOUNT_TAKEN = refusal(454, '4.7.0', 'Too many sessions for your account; try again later');
export const NO_SIGN_IN = refusal(503, '5.5.1', 'AUTH not available');
export const TLS_FIRST = refusal(538, '5.7.11', 'Must issue STARTTLS before AUTH');
export const SIGN_IN_FIRST = refusal(530, '5.7.0', 'Authentication required');
export const WRONG_CREDENTIALS = refusal(535, '5.7.8', 'Authentication credentials invalid');
export const TOO_MANY_FAILURES = refusal(421, '4.7.0', 'Too many failed sign-ins');
export const LOCKED_OUT = refusal(421, '4.7.0', 'Too many failed sign-ins; try again later');
