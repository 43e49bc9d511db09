// The plan of a campaign as its form has it, and the request that saves it.
import type { Campaign, CampaignType, CampaignUpdate, Mailbox, SplitMetric } from '@mailkeel/sdk';

/** Whether copies can be created. A draft may lack the list and the template. */
export function isComplete({ list_id: list, template_id: template }: Campaign): boolean {
  return list !== null && template !== null;
}

export interface PlanVariant {
  tag: string;
  template_id: string | null;
  subject: string;
}

export interface PlanSplit {
  variants: { key: string; template_id: string | null; subject: string }[];
  test_percent: number | string;
  metric: SplitMetric;
  wait_minutes: number | string;
}

export const UTM_NAMES = ['source', 'medium', 'campaign', 'content', 'term'] as const;

export type Tracking = 'default' | 'on' | 'off';

export interface PlanState {
  name: string;
  type: CampaignType;
  list_id: string | null;
  segment_tag: string;
  template_id: string | null;
  subject: string;
  from: string;
  reply_to: string;
  variants: PlanVariant[];
  split: PlanSplit | null;
  track_opens: Tracking;
  track_clicks: Tracking;
  /** Empty if a parameter is not set. */
  utm: Record<(typeof UTM_NAMES)[number], string>;
}

function mailboxText(mailbox: Mailbox | null): string {
  if (mailbox === null) return '';
  const { email, name } = mailbox;
  if (name === null) return email;
  // Quotes a name that contains characters of the address syntax.
  return `${/[",<>@;:()]/.test(name) ? JSON.stringify(name) : name} <${email}>`;
}

const trackingOf = (value: boolean | null): Tracking => (value === null ? 'default' : value ? 'on' : 'off');

function utmOf(utm: Campaign['utm']): PlanState['utm'] {
  const { source, medium, campaign, content, term } = utm ?? {};
  return {
    ...{ source: source ?? '', medium: medium ?? '', campaign: campaign ?? '' },
    ...{ content: content ?? '', term: term ?? '' },
  };
}

export function planOf(campaign: Campaign): PlanState {
  const { split } = campaign;
  return {
    name: campaign.name,
    type: campaign.type,
    list_id: campaign.list_id,
    segment_tag: campaign.segment_tag ?? '',
    template_id: campaign.template_id,
    subject: campaign.subject ?? '',
    from: mailboxText(campaign.from),
    reply_to: mailboxText(campaign.reply_to),
    variants: campaign.variants.map((one) => ({ ...one, subject: one.subject ?? '' })),
    split:
      split === null
        ? null
        : {
            variants: split.variants.map((one) => ({ ...one, subject: one.subject ?? '' })),
            test_percent: split.test_percent,
            metric: split.metric,
            wait_minutes: split.wait_minutes,
          },
    track_opens: trackingOf(campaign.track_opens),
    track_clicks: trackingOf(campaign.track_clicks),
    utm: utmOf(campaign.utm),
  };
}

export function emptySplit(): PlanSplit {
  const variant = (key: string) => ({ key, template_id: null, subject: '' });
  return {
    variants: [variant('a'), variant('b')],
    test_percent: 20,
    metric: 'clicked',
    wait_minutes: 240,
  };
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
const switched = (value: Tracking): boolean | null => (value === 'default' ? null : value === 'on');

export function updateOf(plan: PlanState): CampaignUpdate {
  const { split } = plan;
  return {
    name: plan.name,
    type: plan.type,
    list_id: plan.list_id,
    segment_tag: orNull(plan.segment_tag),
    template_id: plan.template_id,
    subject: orNull(plan.subject),
    from: orNull(plan.from),
    reply_to: orNull(plan.reply_to),
    variants: plan.variants.map(({ tag, template_id: id, subject }) => ({
      tag: tag.trim(),
      template_id: id ?? '',
      subject: orNull(subject),
    })),
    split:
      split === null
        ? null
        : {
            variants: split.variants.map(({ key, template_id: id, subject }) => ({
              key: key.trim(),
              template_id: id,
              subject: orNull(subject),
            })),
            test_percent: Number(split.test_percent),
            metric: split.metric,
            wait_minutes: Number(split.wait_minutes),
          },
    track_opens: switched(plan.track_opens),
    track_clicks: switched(plan.track_clicks),
    utm: plan.utm,
  };
}
