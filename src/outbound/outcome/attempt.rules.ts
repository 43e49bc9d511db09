// Outcomes of attempts. Delivery threads report them, the outcome plan records them, and the traffic shaper observes them.
import type { BounceCategory } from '../../contract/names.js';
import type { ReplyPhase } from './bounce-class.rules.js';
import type { ForwardingEnd } from '../../messages/inboxes/forwards.tables.js';
import type { TopicFact } from '../../suppressions/suppression.rules.js';

export interface Reply {
  code: number;
  enhanced: string | null;
  text: string;
}

interface PeerTls {
  version: string;
  cipher: string;
  verified: boolean;
  /** Reason why the certificate was not verified; `null` if it was. */
  error: string | null;
}

/** The peer of an attempt. */
export interface Peer {
  host: string;
  address: string;
  /** `null` if no connection was established. */
  localAddress: string | null;
  tls: PeerTls | null;
  /** The TLS policy of the session: `dane`, `tlsa_unusable`, `sts`, `configured`, `require_tls` or `opportunistic`. */
  tlsPolicy: string;
  /** Name of the provider in config/providers.json that operates all MX hosts of the domain. */
  provider: string | null;
}

/** A campaign's copy whose recipient was deleted, was removed from the list, or no longer matches the segment. */
export interface SkippedCopy {
  kind: 'skipped';
  reason: 'contact_deleted' | 'removed_from_list' | 'not_in_segment';
  campaignId: string;
  contactNumber: number;
}

export type AttemptResult =
  /** `tellsSuccess`: the peer supports DSN and reports the delivery, because NOTIFY=SUCCESS was passed on. */
  | { kind: 'accepted'; reply: Reply; peer: Peer; tellsSuccess?: boolean }
  /** `local`: Mailkeel refused the message and wrote the reply, because the peer lacks an extension. */
  | { kind: 'refused'; phase: ReplyPhase; reply: Reply; peer: Peer; local?: boolean }
  /** The connection failed, or was lost before the final dot. */
  | { kind: 'unreachable'; phase: ReplyPhase; error: string; peer: Peer | null }
  | { kind: 'unroutable'; permanent: boolean; category: BounceCategory; enhanced: string; message: string }
  /** The connection was lost after the final dot and before the reply. */
  | { kind: 'ambiguous'; error: string; peer: Peer | null }
  /** `topic`: the list of the message's topic, which the recipient has left. */
  | { kind: 'suppressed'; reason: string; topic?: TopicFact }
  | SkippedCopy
  /** The forwarding that the message belongs to has ended. */
  | { kind: 'canceled'; reason: ForwardingEnd }
  /** The message remains queued because of a signing error, a suspended tenant or sender, a paused campaign or an internal error. */
  | { kind: 'held'; reason: 'signing' | 'tenant' | 'sender' | 'campaign' | 'fault'; message: string }
  /** The message can never be sent. */
  | { kind: 'failed'; category: 'tenant' | 'sender' | 'routing' | 'too_large'; message: string }
  /** The message was claimed but not attempted. `stalled`: it waited too long for a session. */
  | { kind: 'unattempted'; stalled: boolean };

export type Via = 'mta' | 'smarthost';

export interface Outcome {
  messageId: number;
  /** Epoch ms at which the outcome was known. */
  at: number;
  /** Epoch ms at which the signed copy was ready for a session; `null` without a copy. */
  handedAt: number | null;
  /** Epoch ms in the Date field of the copy, or the time of an attempt without a copy; `null` leaves the date unchanged. */
  datedAt: number | null;
  /** Unix seconds in the signatures of the copy; `null` without a copy. */
  signedAt: number | null;
  /** Octets of the copy; `null` without a copy. */
  sizeBytes: number | null;
  via: Via;
  /** Name of the source or smarthost. */
  source: string;
  pathId: number;
  /** Id of the session; `null` if none was opened. */
  sessionId: string | null;
  /** SMTP conversation of the transaction, or of a session that could not be opened. */
  conversation: string | null;
  /** Durations by phase, in ms. */
  times: Readonly<Record<string, number>> | null;
  result: AttemptResult;
}

/** Matches codes that concern only the recipient's address or mailbox (RFC 3463 sections 3.2 and 3.3). */
const OF_THE_RECIPIENT = /^5\.[12]\./;

/** Whether the refusal may change the limits of other mail to the peer. */
export function mayConcernOthers({ code, enhanced }: Reply): boolean {
  return code < 500 || enhanced === null || !OF_THE_RECIPIENT.test(enhanced);
}

/** Phases before any message was mentioned. TLS and authentication are excluded, because they concern only the messages that need them. */
const BEFORE_ANY_MAIL: readonly ReplyPhase[] = ['connect', 'greeting', 'ehlo'];

/** Whether the failure concerns the destination: no server responded, or the peer temporarily refused the session. */
export function isDestinationWide(result: AttemptResult): boolean {
  if (result.kind === 'unreachable') return BEFORE_ANY_MAIL.includes(result.phase);
  return result.kind === 'refused' && BEFORE_ANY_MAIL.includes(result.phase) && result.reply.code < 500;
}

/** Whether the message was attempted, so that it counts toward rate limits. */
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
    case 'canceled':
    case 'held':
    case 'failed':
      return false;
  }
}
