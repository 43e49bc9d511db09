// Outcome of one attempt, as values: delivery threads make them, the outcome plan turns them into rows, the shaper learns from
// them.
import type { BounceCategory } from '../../contract/names.js';
import type { ReplyPhase } from './bounce-class.rules.js';
import type { TopicFact } from '../../suppressions/suppression.rules.js';

export interface Reply {
  code: number;
  enhanced: string | null;
  text: string;
}

/** TLS of the session. */
export interface PeerTls {
  version: string;
  cipher: string;
  verified: boolean;
  /** Why the certificate did not verify; null when it did. */
  error: string | null;
}

/** The peer of an attempt; null where none was reached. */
export interface Peer {
  host: string;
  address: string;
  /** Null until a connection stood. */
  localAddress: string | null;
  tls: PeerTls | null;
  /** The policy that the session was held to: `dane`, `tlsa_unusable`, `sts`, `configured`, `require_tls` or `opportunistic`. */
  tlsPolicy: string;
  /** Name of a provider that config/providers.json knows, by all MX hosts of the domain. */
  provider: string | null;
}

/** A campaign's copy whose recipient is deleted, taken off its list, or not as its segment asks any more. */
export interface SkippedCopy {
  kind: 'skipped';
  reason: 'contact_deleted' | 'removed_from_list' | 'not_in_segment';
  campaignId: string;
  contactNumber: number;
}

export type AttemptResult =
  /** `tellsSuccess`: NOTIFY=SUCCESS went along to a server that offers DSN, which reports the delivery itself. */
  | { kind: 'accepted'; reply: Reply; peer: Peer; tellsSuccess?: boolean }
  /** `local`: decided here from what the peer offers; the reply is ours. */
  | { kind: 'refused'; phase: ReplyPhase; reply: Reply; peer: Peer; local?: boolean }
  /** No connection, or it was lost certainly before the final dot. */
  | { kind: 'unreachable'; phase: ReplyPhase; error: string; peer: Peer | null }
  | { kind: 'unroutable'; permanent: boolean; category: BounceCategory; enhanced: string; message: string }
  /** The final dot was written and no reply seen. */
  | { kind: 'ambiguous'; error: string; peer: Peer | null }
  /** `topic`: the list that the message stands for and that the recipient has left. */
  | { kind: 'suppressed'; reason: string; topic?: TopicFact }
  | SkippedCopy
  /** Stays queued: a signing error, a suspended tenant or sender, a paused campaign, an internal fault before it left. */
  | { kind: 'held'; reason: 'signing' | 'tenant' | 'sender' | 'campaign' | 'fault'; message: string }
  /** We can't send it, ever. */
  | { kind: 'failed'; category: 'tenant' | 'sender' | 'routing' | 'too_large'; message: string }
  /** Claimed, but not begun: the worker stops, or no session had time for it. */
  | { kind: 'unattempted'; stalled: boolean };

export type Via = 'mta' | 'smarthost';

export interface Outcome {
  messageId: number;
  /** Epoch ms at which it was known. */
  at: number;
  /** Epoch ms at which the composed and signed copy was ready for a session; null when it came to none. */
  handedAt: number | null;
  /** Epoch ms in the Date field of the copy, or of an attempt that came to none; null leaves the date as it is. */
  datedAt: number | null;
  /** Unix seconds in the signatures of the copy. */
  signedAt: number | null;
  /** Octets of the copy; null when none was made. */
  sizeBytes: number | null;
  via: Via;
  /** Name of the source or the smarthost. */
  source: string;
  pathId: number;
  /** The session that carried it. */
  sessionId: string | null;
  /** Lines of the transaction, or of the session that did not open. */
  conversation: string | null;
  /** Milliseconds by phase. */
  times: Readonly<Record<string, number>> | null;
  result: AttemptResult;
}

/** Codes that are about the recipient's address or mailbox alone (RFC 3463 sections 3.2 and 3.3). */
const OF_THE_RECIPIENT = /^5\.[12]\./;

/** The refusal may change what holds for other mail to the peer. */
export function mayConcernOthers({ code, enhanced }: Reply): boolean {
  return code < 500 || enhanced === null || !OF_THE_RECIPIENT.test(enhanced);
}

/** Where nothing of any message was said yet; what TLS and credentials lack is for the messages that need them. */
const BEFORE_ANY_MAIL: readonly ReplyPhase[] = ['connect', 'greeting', 'ehlo'];

/** A failure that is about the destination and not about this message: no server was reached, or the peer turned the session away for now. */
export function isDestinationWide(result: AttemptResult): boolean {
  if (result.kind === 'unreachable') return BEFORE_ANY_MAIL.includes(result.phase);
  return result.kind === 'refused' && BEFORE_ANY_MAIL.includes(result.phase) && result.reply.code < 500;
}

/** The message came to an attempt, so that it used up what it had reserved of rates. */
export function wasAttempted(result: AttemptResult): boolean {
  switch (result.kind) {
    case 'accepted':
    case 'refused':
    case 'unreachable':
    case 'unroutable':
    case 'ambiguous':
      return true;
    case 'unattempted':
    case 'suppressed':
    case 'skipped':
    case 'held':
    case 'failed':
      return false;
  }
}
