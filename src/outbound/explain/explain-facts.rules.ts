// Facts of an explanation: everything that is known of a message, as values.
import type { AttemptDetail } from '../../messages/attempt.schema.js';
import type { ErrorDetail, MessageStatus, MessageTrailEvent } from '../../contract/names.js';

/**
 * Why the traffic rules hold a queue now. `tenant_suspended`: its mail to this destination; `tenant_dns_suspended`: all of
 * it, since its domain is out of order.
 */
export const LIMIT_CODES = [
  'outbound_held',
  'paused',
  'tenant_paused',
  'tenant_dns_suspended',
  'destination_suspended',
  'tenant_suspended',
  'circuit_open',
  'rate_limited',
  'concurrency_limited',
  'tenant_throttled',
  'warm_up',
  'source_unreachable',
  'source_suspended',
  'no_source',
] as const;
export type LimitCode = (typeof LIMIT_CODES)[number];

export interface LimitReason {
  code: LimitCode;
  /** Epoch ms; null when it is not a matter of time. */
  until: number | null;
  /** Which limit, rule or reply, in plain words; may be empty. */
  detail: string;
  /** The limit that a reply has set, as `GET /v1/queue/overrides` lists it; absent: none of them. */
  overrideId?: string;
}

export interface ExplainFacts {
  now: number;
  message: {
    publicId: string;
    status: MessageStatus;
    email: string;
    /** The recipient's domain, in A-labels. */
    domain: string;
    isSandbox: boolean;
    subTenantId: string | null;
    /** The identity in From, of mail without a sub-tenant; null when there is none any more. */
    senderId: string | null;
    campaignId: string | null;
    scheduledAt: number | null;
    createdAt: number;
    updatedAt: number;
    provider: string | null;
    error: ErrorDetail | null;
  };
  /** Oldest first. */
  trail: readonly TrailFact[];
  attempts: readonly AttemptFact[];
  /** Null when it is not in the queue. */
  queue: {
    dueAt: number;
    expiresAt: number;
    attempts: number;
    leaseUntil: number | null;
    dotIntentAt: number | null;
    /** `signing: …`, `tenant: …` or `fault: …`. */
    holdReason: string | null;
  } | null;
  /** The row that blocks the address now. */
  suppression: { reason: 'bounce' | 'complaint' | 'unsubscribe' | 'manual'; createdAt: number } | null;
  /** Of the message's sub-tenant in the message's environment; null without one, or when it is deleted. */
  tenantStatus: string | null;
  /** `place`, as the asker sees it: in their own reach, for the whole workspace above it, or for one sub-tenant of it. */
  pause: { place: 'own' | 'workspace' | 'sub_tenant'; reason: string; createdAt: number } | null;
  limitReason: LimitReason | null;
}

export interface TrailFact {
  event: MessageTrailEvent;
  at: number;
  metadata: Readonly<Record<string, unknown>>;
}

export interface AttemptFact {
  number: number;
  at: number;
  detail: AttemptDetail;
}
