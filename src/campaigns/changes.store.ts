// The changes of a plan by which a campaign's recipients get their messages.
import type { RecipientState } from '../contract/names.js';

/**
 * Records the result for a recipient who waited. `hasMessage`: the message is the one that the plan accepted last.
 * The whole plan is refused with `RecipientRace` when they do not wait any more: nobody gets two copies.
 */
export interface RecordRecipient {
  kind: 'record-recipient';
  campaignId: string;
  contactNumber: number;
  state: Extract<RecipientState, 'created' | 'skipped' | 'failed'>;
  variant: string | null;
  reason: string | null;
  hasMessage: boolean;
}

/** Adds to a campaign's counters. */
export interface CountRecipients {
  kind: 'count-recipients';
  campaignId: string;
  total: number;
  created: number;
  skipped: number;
  /** Of those skipped: who has a message that says so. */
  suppressed: number;
  failed: number;
}

export type CampaignChange = RecordRecipient | CountRecipients;
