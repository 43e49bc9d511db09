// Facts of an explanation: everything that is known about a message, as values.
import type { AttemptDetail } from '../../messages/attempt.schema.js';
import type { ErrorDetail, KeyPermission, MessageStatus, MessageTrailEvent } from '../../contract/names.js';

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
  /** The limit set by a reply, as listed by `GET /v1/queue/overrides`. Absent if a reply set no limit. */
  overrideId?: string;
}

/** The caller that an explanation is for. */
export interface Asker {
  /** The sub-tenant to which the request is limited. */
  subTenantId: string | null;
  /** Furthest owner that the caller can act for; a caller of the workspace acts for its sub-tenants too. */
  reach: 'sub_tenant' | 'workspace' | 'operator';
  permission: KeyPermission;
}

export interface ExplainFacts {
  now: number;
  asker: Asker;
  message: {
    publicId: string;
    status: MessageStatus;
    email: string;
    /** The recipient's domain, in A-labels. */
    domain: string;
    isSandbox: boolean;
    subTenantId: string | null;
    /** The identity in From, for mail without a sub-tenant. `null` if it no longer exists. */
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
  /** `null` if the message is not in the queue. */
  queue: {
    dueAt: number;
    expiresAt: number;
    attempts: number;
    leaseUntil: number | null;
    dotIntentAt: number | null;
    /** `signing: …`, `tenant: …` or `fault: …`. */
    holdReason: string | null;
  } | null;
  /** The approval that it waits for; null if it waits for none. `expiresAt` in epoch ms. */
  approval: { expiresAt: number } | null;
  /** The rows that block the address now, of the workspace or of the message's sub-tenant. */
  suppressions: readonly BlockingSuppression[];
  /** The state of the message's sub-tenant in its environment; null without one, or if it was deleted. */
  tenantStatus: string | null;
  /** `subTenantId` is `null` for a pause of the whole workspace. */
  pause: { subTenantId: string | null; reason: string; createdAt: number } | null;
  limitReason: LimitReason | null;
}

export interface BlockingSuppression {
  id: string;
  /** `null` if it applies to the whole workspace. */
  subTenantId: string | null;
  reason: 'bounce' | 'complaint' | 'unsubscribe' | 'manual';
  createdAt: number;
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
