// Disposition of a message after a peer's reply: delivered, tried again, or given up (RFC 5321 section 4.2.1).
import type { BounceCategory } from '../../contract/names.js';
import {
  bounceType,
  classOfReply,
  SESSION_PHASES,
  type BounceClass,
  type BounceRules,
  type PeerReply,
} from './bounce-class.rules.js';

/** `now`: the reply proves that the address takes no mail. `repeated`: several such replies do (`repeatSuppresses`). */
export type Suppression = 'now' | 'repeated' | 'never';

export interface ReplyVerdict {
  disposition: 'delivered' | 'retry' | 'fail';
  category: BounceCategory;
  /** Whether the reply keeps the address from further mail. */
  suppress: Suppression;
}

/** With what decided the category, as in `BounceClass`; `success` for a delivery. */
export interface ExplainedVerdict extends ReplyVerdict {
  by: string;
}

/** Categories that pass by themselves, even when the peer says 5xx: a mailbox is emptied, a count starts anew. */
const PASSING: readonly BounceCategory[] = ['quota', 'greylist', 'rate_limited'];
/** Phases after the recipient was named. A transaction has one recipient, so that a refusal after DATA may be about it, too. */
const ADDRESS_PHASES: readonly PeerReply['phase'][] = ['rcpt', 'data', 'dot', 'dsn'];

function dispositionOf(reply: PeerReply, found: BounceClass): 'retry' | 'fail' {
  // The peer is closing the session: whatever its reply, it is not about the message.
  if (reply.code === null || reply.code === 421) return 'retry';
  if (found.disposition) return found.disposition;
  if (PASSING.includes(found.category) || SESSION_PHASES.includes(reply.phase)) return 'retry';
  // Basic code against enhanced code (550 4.x.x): the basic code's class wins.
  return reply.code >= 500 && reply.code < 600 ? 'fail' : 'retry';
}

function suppressionBy(reply: PeerReply, found: BounceClass, disposition: 'retry' | 'fail'): Suppression {
  if (!ADDRESS_PHASES.includes(reply.phase)) return 'never';
  // A server without space (X.3.1) says nothing about the mailbox.
  if (found.category === 'quota') return reply.enhanced?.endsWith('.3.1') === true ? 'never' : 'repeated';
  if (disposition === 'retry' || bounceType(found.category) === 'soft' || !found.isClear) return 'never';
  return found.isProof ? 'now' : 'repeated';
}

/**
 * The verdict on one reply for one recipient. Only a 2xx to the final dot (or a success report) is
 * `delivered`; a 2xx or 3xx elsewhere is a peer out of step and retried.
 */
export function classifyReply(reply: PeerReply, rules: BounceRules): ExplainedVerdict {
  const isSuccess = reply.code !== null && reply.code >= 200 && reply.code < 300;
  if (isSuccess && (reply.phase === 'dot' || reply.phase === 'dsn')) {
    return { disposition: 'delivered', category: 'unknown', suppress: 'never', by: 'success' };
  }
  const found = classOfReply(reply, rules);
  const disposition = dispositionOf(reply, found);
  const suppress = suppressionBy(reply, found, disposition);
  return { disposition, category: found.category, suppress, by: found.by };
}
