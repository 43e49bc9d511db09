// Disposition of a message after a peer's reply: delivered, tried again, or given up (RFC 5321 section 4.2.1).
import type { BounceCategory } from '../../contract/names.js';
import { classOfReply, type BounceClass, type BounceRules, type PeerReply } from './bounce-class.rules.js';

export interface ReplyVerdict {
  disposition: 'delivered' | 'retry' | 'fail';
  category: BounceCategory;
  /** The address itself is proven gone: keep it from further mail. */
  suppress: boolean;
}

/** With what decided the category, as in `BounceClass`; `success` for a delivery. */
export interface ExplainedVerdict extends ReplyVerdict {
  by: string;
}

const HARD: readonly BounceCategory[] = ['invalid_recipient', 'inactive_mailbox', 'bad_domain'];
/** Categories that pass by themselves, even when the peer says 5xx: a mailbox is emptied, a count starts anew. */
const PASSING: readonly BounceCategory[] = ['quota', 'greylist', 'rate_limited'];
/** Where a refusal is about the address and not about the message or us. */
const ADDRESS_PHASES: readonly PeerReply['phase'][] = ['rcpt', 'dsn'];

/** Before MAIL a refusal is about the session or our address: another host or a later time may do better. */
const SESSION_PHASES: readonly PeerReply['phase'][] = [
  'connect',
  'greeting',
  'ehlo',
  'starttls',
  'tls',
  'auth',
  'rset',
];
/** The codes of a host that takes no mail at all (RFC 7504). */
const NO_MAIL_HERE = [521, 556];

/** `hard` when the address can take no mail; everything else that ends a delivery is `soft`. */
export function bounceType(category: BounceCategory): 'hard' | 'soft' {
  return HARD.includes(category) ? 'hard' : 'soft';
}

function dispositionOf(reply: PeerReply, found: BounceClass): 'retry' | 'fail' {
  // The peer is closing the session: whatever its reply, it is not about the message.
  if (reply.code === null || reply.code === 421) return 'retry';
  if (found.disposition) return found.disposition;
  if (PASSING.includes(found.category)) return 'retry';
  if (SESSION_PHASES.includes(reply.phase)) return NO_MAIL_HERE.includes(reply.code) ? 'fail' : 'retry';
  // Basic code against enhanced code (550 4.x.x): the basic code's class wins.
  return reply.code >= 500 && reply.code < 600 ? 'fail' : 'retry';
}

/**
 * The verdict on one reply for one recipient. Only a 2xx to the final dot (or a success report) is
 * `delivered`; a 2xx or 3xx elsewhere is a peer out of step and retried.
 */
export function classifyReply(reply: PeerReply, rules: BounceRules): ExplainedVerdict {
  const isSuccess = reply.code !== null && reply.code >= 200 && reply.code < 300;
  if (isSuccess && (reply.phase === 'dot' || reply.phase === 'dsn')) {
    return { disposition: 'delivered', category: 'unknown', suppress: false, by: 'success' };
  }
  const found = classOfReply(reply, rules);
  const disposition = dispositionOf(reply, found);
  const isAboutAddress = bounceType(found.category) === 'hard' && ADDRESS_PHASES.includes(reply.phase);
  return {
    disposition,
    category: found.category,
    suppress: disposition === 'fail' && isAboutAddress && found.isClear,
    by: found.by,
  };
}
