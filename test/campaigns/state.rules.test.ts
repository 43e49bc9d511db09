// Tests every action in every state of contract.md section 5.
import { describe, expect, it } from 'vitest';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../../src/contract/names.js';
import {
  CAMPAIGN_ACTIONS,
  campaignStep,
  statesThatAllow,
  type CampaignAction,
} from '../../src/campaigns/state.rules.js';

const SENT = 'campaign_already_sent';
const CANCELED = 'campaign_canceled';
/** For each action, the next state or the code of the refusal, in the order of CAMPAIGN_STATUSES. */
const TABLE: Record<CampaignAction, readonly string[]> = {
  // draft, scheduled, sending, paused, sent, canceled
  edit: ['draft', 'scheduled', SENT, SENT, SENT, CANCELED],
  override: ['draft', 'scheduled', SENT, SENT, SENT, CANCELED],
  schedule: ['scheduled', 'scheduled', SENT, SENT, SENT, CANCELED],
  send: ['sending', 'sending', SENT, SENT, SENT, CANCELED],
  pause: ['conflict', 'conflict', 'paused', 'conflict', SENT, CANCELED],
  resume: ['conflict', 'conflict', 'conflict', 'sending', SENT, CANCELED],
  resend: ['conflict', 'conflict', 'sending', 'conflict', 'sent', CANCELED],
  finish: ['conflict', 'conflict', 'sent', 'conflict', SENT, CANCELED],
  cancel: ['canceled', 'canceled', 'conflict', 'canceled', SENT, CANCELED],
  delete: ['draft', 'scheduled', 'conflict', 'conflict', 'sent', 'canceled'],
};

const CELLS = CAMPAIGN_ACTIONS.flatMap((action) =>
  CAMPAIGN_STATUSES.map((status, at) => ({ action, status, becomes: TABLE[action][at] ?? '' })),
);

describe('a campaign', () => {
  it.each(CELLS)('$action in $status: $becomes', ({ action, status, becomes }) => {
    const step = campaignStep(status, action);
    expect(step.ok ? step.status : step.refusal.code).toBe(becomes);
    if (!step.ok) expect(step.refusal.message).toMatch(/^[A-Z].+\.$/);
    expect(statesThatAllow(action).includes(status)).toBe(step.ok);
  });

  it('must be paused before it is canceled while it is being sent', () => {
    const step = campaignStep('sending' satisfies CampaignStatus, 'cancel');
    expect(step.ok ? '' : step.refusal.message).toContain('Pause it before');
  });
});
