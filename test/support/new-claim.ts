// A claim as the queue hands it out.
import type { Claim } from '../../src/store/queue.js';

export const newClaim = (messageId: number): Claim => ({
  messageId,
  publicId: `msg_${messageId}`,
  laneId: 1,
  domain: 'there.test',
  environmentId: 1,
  workspaceNumber: 1,
  workspaceId: 'wsp_1',
  mode: 'live',
  type: 'transactional',
  attempts: 0,
  ambiguousAttempts: 0,
  expiresAt: 9e15,
  createdAt: 0,
  subTenantId: null,
  toEmail: 'ann@there.test',
  toKey: 'ann@there.test',
  status: 'queued',
  provider: null,
});
