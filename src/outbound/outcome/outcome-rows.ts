// What every outcome's rows are made of: status, trail entries, the way back to the lane. Pure but for the clock's value it is given.
import type { TrailEvent } from '../../contract/names.js';
import type { Outcome, Peer } from './attempt.rules.js';
import type { BounceRules } from './bounce-class.rules.js';
import { providerMessageId } from '../../lib/mime/message-id.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import type { Change, EventDetail } from '../../store/plan.js';
import type { Claim } from '../schedule/queue.store.js';
import { auditTrailEntry } from '../../events/audit-trail-entry.store.js';
import type { Failure } from './failure.js';

export interface OutcomeSettings {
  retryScheduleMs: readonly number[];
  ambiguousHoldMs: number;
  ambiguousTransactional: 'retry' | 'leave_sent';
  ambiguousMarketing: 'retry' | 'leave_sent';
  ambiguousRetryLimit: number;
  /** How long a held message waits before it is looked at again. */
  holdMs: number;
  /** Shortest and longest wait after greylisting. */
  greylistMs: readonly [number, number];
  blockedRetryMs: number;
  blockedRetries: number;
  /** From this age on a deferral says that the message is delayed. */
  delayWarningMs: number;
  /** When a bounced message's dead domain is looked at again. */
  deadDomainRecheckMs: number;
  rules: BounceRules;
}

/** What settling needs besides the outcome. */
export interface OutcomeFacts {
  claim: Claim;
  outcome: Outcome;
  /** When its copy was signed, if no earlier report said so. */
  startedAt: number | null;
  /** What a peer, the network or the DNS said against it; null when nothing was. */
  failure: Failure | null;
  /** Why it went this way and not the usual one; null: it went the usual way. */
  note: string | null;
  /** In [0, 1): spreads retries. */
  jitter: number;
  /** Earlier bounces of the same address, for bounces that suppress only together. */
  earlierBounces: readonly { category: string; at: number }[];
}

export function append(
  { claim, outcome }: OutcomeFacts,
  event: TrailEvent,
  actor: 'system' | 'provider',
  detail: EventDetail,
): Change {
  return auditTrailEntry(claim, { event, actor, at: outcome.at, detail });
}

type Reached = 'sending' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'suppressed';
export type Columns = Extract<Change, { kind: 'amend' }>['set'];

export function advance(claim: Claim, to: Reached, set?: Columns): Change {
  const from = statusesThatMayBecome(to);
  return { kind: 'advance', messageId: claim.messageId, to, from, ...(set ? { set } : {}) };
}

export function requeue(
  { claim, outcome }: OutcomeFacts,
  dueAt: number,
  change: {
    attempts?: number;
    ambiguous?: number;
    blocked?: number;
    step?: number;
    source?: string | null;
    holdReason?: string;
  },
): Change {
  return {
    kind: 'requeue',
    messageId: claim.messageId,
    dueAt,
    attempts: change.attempts ?? claim.attempts,
    ambiguousAttempts: change.ambiguous ?? claim.ambiguousAttempts,
    blockedAttempts: change.blocked ?? claim.blockedAttempts,
    retryStep: change.step ?? claim.retryStep,
    source: change.source === undefined ? outcome.source : change.source,
    holdReason: change.holdReason ?? null,
  };
}

/** `sending`, once the copy of a first attempt is signed. */
export function sendingStarted(claim: Claim, at: number): Change[] {
  if (claim.status !== 'queued') return [];
  claim.status = 'sending';
  return [advance(claim, 'sending'), auditTrailEntry(claim, { event: 'sending', actor: 'system', at })];
}

/** `sending` and `sent` in the trail, once, no later than the first attempt's outcome. */
export function handed(facts: OutcomeFacts, metadata?: Record<string, unknown>): Change[] {
  const { claim, outcome } = facts;
  if (claim.provider !== null) return [];
  const at = outcome.handedAt ?? outcome.at;
  const said = { ...metadata, ...(facts.note === null ? {} : { via: outcome.source, why: facts.note }) };
  const detail = {
    provider: outcome.via,
    provider_message_id: providerMessageId(claim.publicId),
    ...(Object.keys(said).length > 0 ? { metadata: said } : {}),
  };
  const sent = auditTrailEntry(claim, { event: 'sent', actor: 'system', at, detail });
  if (claim.status !== 'queued') return [sent];
  return [auditTrailEntry(claim, { event: 'sending', actor: 'system', at: facts.startedAt ?? at }), sent];
}

/** What an attempt leaves on the message besides its status. */
export function attempted({ claim, outcome }: OutcomeFacts): Columns {
  return {
    updated_at: outcome.at,
    ...(outcome.signedAt === null ? {} : { signed_at: outcome.signedAt }),
    ...(claim.provider === null
      ? { provider: outcome.via, provider_message_id: providerMessageId(claim.publicId) }
      : {}),
  };
}

export function describePeer(peer: Peer | null): Record<string, unknown> {
  if (!peer) return {};
  const tls = peer.tls && {
    tls_version: peer.tls.version,
    tls_cipher: peer.tls.cipher,
    tls_verified: peer.tls.verified,
  };
  return {
    remote_host: peer.host,
    remote_address: peer.address,
    ...(tls ?? { tls_version: null }),
    tls_policy: peer.tlsPolicy,
  };
}
