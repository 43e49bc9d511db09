// Tables of campaigns and their recipients.
import type { CampaignStatus, MessageStatus, RecipientState } from '../contract/names.js';
import {
  type ColumnsOf,
  flag,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../database/columns.js';

export const campaigns = table('campaigns', {
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  name: text(),
  type: text<'marketing' | 'sales'>(),
  /** 0 if a draft has none. */
  list_number: int(),
  /** '' if a draft has none. */
  template_id: text(),
  /** Replaces the template's subject. */
  subject: nullable(text()),
  /** `null` for the default sender at the time of sending. */
  from_email: nullable(text()),
  from_name: nullable(text()),
  reply_to_email: nullable(text()),
  reply_to_name: nullable(text()),
  segment_tag: nullable(text()),
  /** JSON: [{tag, template_id, subject}], the first that matches wins. */
  variants: json(),
  /** JSON: the random split, or `null`. */
  split: nullable(json()),
  /** `null` for the organization's default. */
  track_opens: nullable(flag()),
  track_clicks: nullable(flag()),
  /** JSON: values of UTM parameters by name, or `null`. */
  utm: nullable(json()),
  status: text<CampaignStatus>(),
  /** JSON: {[template id]: version}, pinned when the campaign is sent or scheduled; `null` before. */
  versions: nullable(json()),
  scheduled_at: nullable(instant()),
  started_at: nullable(instant()),
  sent_at: nullable(instant()),
  paused_at: nullable(instant()),
  /** Why it was paused automatically, or is waiting for quota. JSON: {code, message}, with a code of the error catalogue. */
  problem: nullable(json()),
  /** The audience snapshot is complete up to this contact number. */
  frozen_up_to: int(),
  /** Time at which the audience was complete. */
  frozen_at: nullable(instant()),
  /** Time at which all recipients had a message, except those who wait for a winner. */
  fanned_out_at: nullable(instant()),
  /** The winning key of the split. */
  winner: nullable(text()),
  total: int(),
  created: int(),
  skipped: int(),
  /** Number of skipped recipients with a message that records it. */
  suppressed: int(),
  failed: int(),
  created_at: instant(),
  updated_at: instant(),
  deleted_at: nullable(instant()),
  /** Time at which retention erased the addresses of its recipients. */
  redacted_at: nullable(instant()),
});
export type CampaignTable = ColumnsOf<typeof campaigns>;
export type Campaign = RowOf<typeof campaigns>;

export const campaignOverrides = table('campaign_overrides', {
  campaign_id: text(),
  email_key: text(),
  email: text(),
  subject: nullable(text()),
  html: nullable(text()),
  created_at: instant(),
  updated_at: instant(),
});
export type CampaignOverride = RowOf<typeof campaignOverrides>;

/** The audience snapshot, with the result for each recipient. */
export const campaignRecipients = table('campaign_recipients', {
  campaign_id: text(),
  contact_number: int(),
  email: text(),
  email_key: text(),
  state: text<RecipientState>(),
  /** The variant's tag or the split's key of the copy; `null` for the base. */
  variant: nullable(text()),
  /** Why the recipient was skipped, or the copy failed. */
  reason: nullable(text()),
  message_id: nullable(int()),
});
export type CampaignRecipientTable = ColumnsOf<typeof campaignRecipients>;
export type CampaignRecipient = RowOf<typeof campaignRecipients>;

/** Number of a campaign's messages that retention has deleted, by status. */
export const deletedMessages = table('deleted_messages', {
  campaign_id: text(),
  status: text<MessageStatus>(),
  messages: int(),
});
