// What became of one attempt, as a value. Workers make them, settle turns them into rows.
import type { BounceCategory } from '../../contract/names.js';
import type { ReplyPhase } from '../../rules/bounce-class.js';

export interface Reply {
  code: number;
  enhanced: string | null;
  text: string;
}

/** The peer of an attempt; null where none was reached. */
export interface Peer {
  host: string;
  address: string;
  tls: { version: string; cipher: string; verified: boolean } | null;
  /** Name of a provider that config/bounce-rules.json knows, by all MX hosts of the domain. */
  provider: string | null;
}

export type AttemptResult =
  | { kind: 'accepted'; reply: Reply; peer: Peer }
  | { kind: 'refused'; phase: ReplyPhase; reply: Reply; peer: Peer }
  /** No connection, or it was lost certainly before the final dot. */
  | { kind: 'unreachable'; phase: ReplyPhase; error: string; peer: Peer | null }
  | { kind: 'unroutable'; permanent: boolean; category: BounceCategory; enhanced: string; message: string }
  /** The final dot was written and no reply seen. */
  | { kind: 'ambiguous'; error: string; peer: Peer | null }
  | { kind: 'suppressed'; reason: string }
  /** It stays queued: a signing error, a suspended tenant, a fault of ours before it left. */
  | { kind: 'held'; reason: 'signing' | 'tenant' | 'fault'; message: string }
  /** We can't send it, ever. */
  | { kind: 'failed'; category: 'tenant' | 'routing' | 'too_large'; message: string }
  /** Claimed, but the worker stops before it began. */
  | { kind: 'unattempted' };

export interface Outcome {
  messageId: number;
  /** Epoch ms at which it was known. */
  at: number;
  /** Epoch ms at which the composed and signed copy was ready for a session; null when it came to none. */
  handedAt: number | null;
  /** Unix seconds in the signatures of the copy. */
  signedAt: number | null;
  via: 'mta' | 'smarthost';
  result: AttemptResult;
}

/** From the main thread to a delivery worker. */
export type ToWorker =
  | { kind: 'deliver'; claims: WorkerClaim[] }
  /** Answer to intents: these may write the dot, the others must not. */
  | { kind: 'intended'; allowed: number[]; denied: number[] }
  /** Take nothing more; let sessions past DATA end. */
  | { kind: 'drain' };

export interface WorkerClaim {
  messageId: number;
  domain: string;
  /** True when the trail does not say `sending` yet. */
  isFirst: boolean;
}

/** From a delivery worker; sent in batches, several times a millisecond at most. */
export type FromWorker =
  | {
      kind: 'report';
      started: { messageId: number; at: number }[];
      intents: { messageId: number; at: number }[];
      outcomes: Outcome[];
      /** Stacks of faults that were contained to one message or session, for the log. */
      faults: string[];
    }
  | { kind: 'drained' };
