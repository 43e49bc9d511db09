// Builds a claim as the queue returns it.
import type { InFlight } from '../../src/outbound/schedule/admission.js';
import type { Claim } from '../../src/outbound/schedule/queue.store.js';
import { Reservation } from '../../src/outbound/shape/limit.js';

export const newClaim = (messageId: number): Claim => ({
  messageId,
  publicId: `msg_${messageId}`,
  queueId: 1,
  domain: 'there.test',
  environmentId: 1,
  workspaceNumber: 1,
  workspaceId: 'wsp_1',
  mode: 'live',
  type: 'transactional',
  attempts: 0,
  ambiguousAttempts: 0,
  blockedAttempts: 0,
  retryStep: 0,
  source: null,
  dueAt: 0,
  scheduledAt: null,
  tags: '[]',
  heldFor: null,
  tlsTerms: 'policy',
  rank: 1,
  side: null,
  expiresAt: 9e15,
  createdAt: 0,
  subTenantId: null,
  toEmail: 'ann@there.test',
  toKey: 'ann@there.test',
  campaignId: null,
  status: 'queued',
  provider: null,
  dsn: null,
  nullSender: false,
  traceparent: null,
});

/** An entry in flight without reservations. */
export const newEntry = (messageId: number): InFlight => ({
  claim: newClaim(messageId),
  reservation: new Reservation('there.test', [], 1),
  track: null,
});
