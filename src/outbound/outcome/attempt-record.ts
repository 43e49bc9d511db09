// One attempt as a row: who was asked from where, what was said, how long each phase took. It explains; nothing is decided by it.
import type { Change, RecordAttempt } from '../../store/plan.js';
import type { AttemptDetail } from '../../messages/attempt.schema.js';
import type { Peer } from './attempt.rules.js';
import type { OutcomeFacts } from './outcome-rows.js';
import type { OpenedSession } from '../deliver/worker-messages.js';

/** A conversation is cut off here; a peer decides how much it says. */
const CONVERSATION_CAP = 16_384;

export function recordAttempt(
  { claim, outcome, failure }: OutcomeFacts,
  ended: AttemptDetail['outcome'],
  nextAt: number | null,
): RecordAttempt {
  const { result } = outcome;
  const peer: Peer | null = 'peer' in result ? result.peer : null;
  const said = result.kind === 'accepted' ? result.reply : null;
  const detail: AttemptDetail = {
    outcome: ended,
    phase: failure?.phase ?? 'dot',
    code: said?.code ?? failure?.code ?? null,
    enhanced_code: said?.enhanced ?? failure?.enhanced ?? null,
    category: failure?.verdict.category ?? (ended === 'ambiguous' ? 'ambiguous' : null),
    reply: said?.text ?? failure?.text ?? (result.kind === 'ambiguous' ? result.error : ''),
    source: outcome.source,
    via: outcome.via,
    host: peer?.host ?? null,
    address: peer?.address ?? null,
    local_address: peer?.localAddress ?? null,
    tls: peer?.tls ? { ...peer.tls, policy: peer.tlsPolicy } : null,
    tls_policy: peer?.tlsPolicy ?? null,
    times: outcome.times,
    duration_ms: outcome.handedAt === null ? null : outcome.at - outcome.handedAt,
    next_attempt_at: nextAt === null ? null : new Date(nextAt).toISOString(),
  };
  return {
    kind: 'record-attempt',
    messageId: claim.messageId,
    number: claim.attempts + 1,
    at: outcome.at,
    sessionId: outcome.sessionId,
    detail: JSON.stringify(detail),
    conversation: outcome.conversation?.slice(0, CONVERSATION_CAP) ?? null,
  };
}

/** An opened session, kept once for all attempts that it carries. */
export function sessionRow({ id, at, ...detail }: OpenedSession): Change {
  return {
    kind: 'insert',
    into: 'smtp_sessions',
    conflict: 'ignore',
    row: { id, at, detail: JSON.stringify(detail) },
  };
}
