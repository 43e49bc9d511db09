// Campaigns, their recipients and overrides as /v1 shows them.
import type {
  CampaignDeliveryWire,
  CampaignOverrideWire,
  CampaignRecipientWire,
} from './recipient.schema.js';
import type { CampaignSummary, CampaignWire } from './campaign.schema.js';
import type { Mode, RecipientDeed } from '../contract/names.js';
import { readCampaignSources } from './copy.rules.js';
import type { Campaign, CampaignOverride } from './campaigns.store.js';
import type { ShownRecipient } from './recipients.store.js';
import type { PreviewedRecipient } from './prepare/preview.js';
import { iso, isoOrNull } from '../contract/time.js';

export interface CampaignSurroundings {
  /** Null when the list has been deleted. */
  listId: string | null;
  /** By measure, of all variants together. */
  counted: ReadonlyMap<string, number>;
  /** Messages that may have arrived or not. */
  inDoubt: number;
  mode: Mode;
}

export function presentCampaignSummary(row: Campaign, mode: Mode): CampaignSummary {
  return {
    id: row.id,
    object: 'campaign_summary',
    name: row.name,
    type: row.type,
    status: row.status,
    template_id: row.template_id || null,
    segment_tag: row.segment_tag,
    sub_tenant_id: row.sub_tenant_id,
    sandbox: mode === 'test',
    scheduled_at: isoOrNull(row.scheduled_at),
    started_at: isoOrNull(row.started_at),
    paused_at: isoOrNull(row.paused_at),
    sent_at: isoOrNull(row.sent_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function presentCampaign(
  row: Campaign,
  { listId, counted, inDoubt, mode }: CampaignSurroundings,
): CampaignWire {
  const { variants, split } = readCampaignSources(row);
  const mailbox = (email: string | null, name: string | null) => (email === null ? null : { email, name });
  const wish = (flag: 0 | 1 | null) => (flag === null ? null : flag === 1);
  return {
    id: row.id,
    object: 'campaign',
    name: row.name,
    type: row.type,
    status: row.status,
    list_id: listId,
    template_id: row.template_id || null,
    subject: row.subject,
    from: mailbox(row.from_email, row.from_name),
    reply_to: mailbox(row.reply_to_email, row.reply_to_name),
    segment_tag: row.segment_tag,
    variants: [...variants],
    split: split === null ? null : { ...split, variants: [...split.variants], winner: row.winner },
    track_opens: wish(row.track_opens),
    track_clicks: wish(row.track_clicks),
    sub_tenant_id: row.sub_tenant_id,
    sandbox: mode === 'test',
    // Written by the room that paused it.
    problem: row.problem === null ? null : (JSON.parse(row.problem) as CampaignWire['problem']),
    scheduled_at: isoOrNull(row.scheduled_at),
    started_at: isoOrNull(row.started_at),
    paused_at: isoOrNull(row.paused_at),
    sent_at: isoOrNull(row.sent_at),
    stats: { ...statsOf(row, counted), in_doubt: inDoubt },
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

function statsOf(
  row: Campaign,
  counted: ReadonlyMap<string, number>,
): Omit<CampaignWire['stats'], 'in_doubt'> {
  const of = (measure: string): number => counted.get(measure) ?? 0;
  return {
    recipients: row.total,
    queued: of('queued'),
    sent: of('sent'),
    delivered: of('delivered'),
    opened: of('opened'),
    clicked: of('clicked'),
    bounced: of('bounced'),
    complained: of('complained'),
    unsubscribed: of('unsubscribed'),
    // Before a copy was made, and right before delivery; what is counted of messages comes a moment later.
    skipped: row.skipped + Math.max(0, of('suppressed') - row.suppressed),
    failed: row.failed + of('failed'),
  };
}

/** How many of a campaign's recipients did something, as its `stats` say. */
export function deedTotal(row: Campaign, counted: ReadonlyMap<string, number>, deed: RecipientDeed): number {
  if (deed === 'replied') return counted.get(deed) ?? 0;
  return statsOf(row, counted)[deed];
}

export function presentPreviewed(recipient: PreviewedRecipient): CampaignRecipientWire {
  const { email, name, tags, variantTag, variant, templateName, edited, copy, problem } = recipient;
  return {
    object: 'campaign_recipient',
    email,
    name,
    tags: [...tags],
    variant_tag: variantTag,
    variant,
    template_name: templateName,
    edited,
    awaits_winner: recipient.awaitsWinner,
    subject: copy?.subject ?? null,
    html: copy?.html ?? null,
    text: copy?.text ?? null,
    problem,
  };
}

export function presentOverride(row: CampaignOverride): CampaignOverrideWire {
  return {
    object: 'campaign_override',
    campaign_id: row.campaign_id,
    email: row.email,
    subject: row.subject,
    html: row.html,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function presentDelivery(row: ShownRecipient): CampaignDeliveryWire {
  return {
    object: 'campaign_delivery',
    email: row.email,
    state: row.state,
    reason: row.reason,
    variant: row.variant,
    message_id: row.messageId,
    message_status: row.messageStatus,
  };
}
