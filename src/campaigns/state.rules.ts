// Actions allowed in each state of a campaign, and the state that follows.
import type { CampaignStatus } from '../contract/names.js';
import type { RefusalCode } from '../contract/refusal.js';

export const CAMPAIGN_ACTIONS = [
  'edit',
  'override',
  'schedule',
  'send',
  'pause',
  'resume',
  'resend',
  'finish',
  'cancel',
  'delete',
] as const;
/**
 * `schedule` sets the time, `send` begins the fan-out now or at that time, `finish` ends it, and `override` edits the content for
 * one recipient.
 */
export type CampaignAction = (typeof CAMPAIGN_ACTIONS)[number];

/** The states in which each action is allowed, and the resulting state. Null for no change. */
const STEPS: Record<CampaignAction, { from: readonly CampaignStatus[]; to: CampaignStatus | null }> = {
  edit: { from: ['draft', 'scheduled'], to: null },
  override: { from: ['draft', 'scheduled'], to: null },
  schedule: { from: ['draft', 'scheduled'], to: 'scheduled' },
  send: { from: ['draft', 'scheduled'], to: 'sending' },
  pause: { from: ['sending'], to: 'paused' },
  resume: { from: ['paused'], to: 'sending' },
  // New mail of a paused campaign would not be sent.
  resend: { from: ['sending', 'sent'], to: null },
  finish: { from: ['sending'], to: 'sent' },
  cancel: { from: ['draft', 'scheduled', 'paused'], to: 'canceled' },
  // A campaign in progress must be stopped first, so that its undelivered mail stays visible.
  delete: { from: ['draft', 'scheduled', 'sent', 'canceled'], to: null },
};

/** Becomes the `otherwise` of a change. */
interface CampaignRefusal {
  code: Extract<RefusalCode, 'campaign_already_sent' | 'campaign_canceled' | 'conflict'>;
  message: string;
}

type CampaignStep = { ok: true; status: CampaignStatus } | { ok: false; refusal: CampaignRefusal };

/** Returns the state after the action, or why it is refused. */
export function campaignStep(status: CampaignStatus, action: CampaignAction): CampaignStep {
  const { from, to } = STEPS[action];
  if (from.includes(status)) return { ok: true, status: to ?? status };
  return { ok: false, refusal: refusalOf(status, action) };
}

/** Returns the states in which the action is allowed, as the condition of an UPDATE. */
export function statesThatAllow(action: CampaignAction): readonly CampaignStatus[] {
  return STEPS[action].from;
}

const WORDS: Record<CampaignAction, string> = {
  edit: 'be changed',
  override: 'have copies edited',
  schedule: 'be scheduled',
  send: 'be sent',
  pause: 'be paused',
  resume: 'be resumed',
  resend: 'have copies resent',
  finish: 'be finished',
  cancel: 'be canceled',
  delete: 'be deleted',
};

function refusalOf(status: CampaignStatus, action: CampaignAction): CampaignRefusal {
  const words = WORDS[action];
  if (status === 'canceled') {
    return { code: 'campaign_canceled', message: `The campaign is canceled and can no longer ${words}.` };
  }
  if (status === 'sent') {
    return {
      code: 'campaign_already_sent',
      message: `The campaign has been sent and can no longer ${words}.`,
    };
  }
  const isUnderWay = status === 'sending' || status === 'paused';
  if (isUnderWay && STEPS[action].from.includes('draft') && action !== 'cancel' && action !== 'delete') {
    const message = `The campaign is being sent (status ${status}) and can no longer ${words}.`;
    return { code: 'campaign_already_sent', message };
  }
  return { code: 'conflict', message: conflictOf(status, action, words) };
}

function conflictOf(status: CampaignStatus, action: CampaignAction, words: string): string {
  if (action === 'cancel') return 'The campaign is being sent. Pause it before you cancel it.';
  if (action === 'delete') return 'The campaign is being sent. Pause and cancel it first.';
  return `A campaign with status ${status} cannot ${words}.`;
}
