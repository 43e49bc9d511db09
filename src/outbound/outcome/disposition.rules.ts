// Decides by a peer's reply whether a message is delivered, retried or failed (RFC 5321 section 4.2.1).
import type { BounceCategory } from '../../contract/names.js';
import {
  bounceType,
  classOfReply,
  SESSION_PHASES,
  type BounceClass,
  type BounceRules,
  type PeerReply,
} from './bounce-class.rules.js';

/** `now`: the reply proves that the address accepts no mail. `repeated`: several such replies prove it (`repeatSuppresses`). */
export type Suppression = 'now' | 'repeated' | 'never';

export interface ReplyVerdict {
  disposition: 'delivered' | 'retry' | 'fail';
  category: BounceCategory;
  /** Whether the reply suppresses the address. */
  suppress: Suppression;
}

/** A verdict with the rule that decided its category, as in `BounceClass`; `success` for a delivery. */
export interface ExplainedVerdict extends ReplyVerdict {
  by: string;
}

/** Temporary categories even with a 5xx code, because mailboxes are emptied and rate limits are reset. */
const PASSING: readonly BounceCategory[] = ['quota', 'greylist', 'rate_limited'];
/** Phases in which a refusal may concern the recipient. This includes DATA, because a transaction has one recipient. */
const ADDRESS_PHASES: readonly PeerReply['phase'][] = ['rcpt', 'data', 'dot', 'dsn'];

function dispositionOf(reply: PeerReply, found: BounceClass): 'retry' | 'fail' {
  // The peer is closing the session, so the reply does not concern the message.
  if (reply.code === null || reply.code === 421) return 'retry';
  if (found.disposition) return found.disposition;
  if (PASSING.includes(found.category) || SESSION_PHASES.includes(reply.phase)) return 'retry';
  // If the basic and enhanced codes contradict each other (550 4.x.x), the basic code decides.
  return reply.code >= 500 && reply.code < 600 ? 'fail' : 'retry';
}

function suppressionBy(reply: PeerReply, found: BounceClass, disposition: 'retry' | 'fail'): Suppression {
  if (!ADDRESS_PHASES.includes(reply.phase)) return 'never';
  // A full server (X.3.1) does not mean that the mailbox is full.
  if (found.category === 'quota') return reply.enhanced?.endsWith('.3.1') === true ? 'never' : 'repeated';
  if (disposition === 'retry' || bounceType(found.category) === 'soft' || !found.isClear) return 'never';
  return found.isProof ? 'now' : 'repeated';
}

/**
 * Classifies a reply for one recipient. Only a 2xx reply to the final dot, or a success report, is `delivered`. A 2xx or 3xx
 * reply elsewhere is a protocol error and is retried.
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
