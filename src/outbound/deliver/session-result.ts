// What a session's words about a message are as the result of its attempt.
import type { AttemptResult, Peer, Reply } from '../outcome/attempt.rules.js';
import type { DeliveryOutcome } from '../../lib/smtp/transaction.js';
import type { ReadySession } from './connector.js';

/** The peer of an open session, for the record of its attempts. */
export function peerOf({ session, tlsPolicy }: ReadySession, provider: string | null): Peer {
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

/** `tellsSuccess`: the peer was asked to report a delivery, and does. */
export function resultOf(outcome: DeliveryOutcome, peer: Peer, tellsSuccess: boolean): AttemptResult {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', reply: replyOf(outcome.reply), peer, tellsSuccess };
    case 'refused':
      return {
        kind: 'refused',
        phase: outcome.phase,
        reply: replyOf(outcome.reply),
        peer,
        local: outcome.local,
      };
    case 'lost':
      return { kind: 'unreachable', phase: outcome.phase, error: outcome.error, peer };
    case 'ambiguous':
      return { kind: 'ambiguous', error: outcome.error, peer };
  }
}

/** Without the single lines, which the conversation keeps. */
function replyOf({ code, enhanced, text }: Reply): Reply {
  return { code, enhanced, text };
}
