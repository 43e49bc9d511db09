// Campaigns on the wire: one email to a list, a copy of it for each recipient, and what is known before and after.
import { Type, type Static } from 'typebox';
import { anyOf, listOf, orderedQueryWith, partOf, summaryOf, viewOf } from '../contract/lists.js';
import { createMessage, mailbox } from '../messages/message.schema.js';
import { CAMPAIGN_STATUSES, SPLIT_METRICS } from '../contract/names.js';
import {
  closed,
  emailText,
  MAX_TAG,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
} from '../contract/schema.js';

/** Of a campaign; more are refused with `variant_limit`. */
export const MAX_VARIANTS = 4;
const MAX_TEST_RECIPIENTS = 20;
export const MAX_SUBJECT_SOURCE = 10_000;
const MAX_WAIT_MINUTES = 30 * 24 * 60;

const CAMPAIGN_TYPES = ['marketing', 'sales'] as const;

const name = Type.String({ minLength: 1, maxLength: 200 });
const listId = Type.String({ maxLength: 64 });
const templateId = Type.String({ maxLength: 64 });
const subject = nullable(
  Type.String({ maxLength: MAX_SUBJECT_SOURCE, description: "Replaces the template's." }),
);
const tag = Type.String({ minLength: 1, maxLength: MAX_TAG });
const scheduledAt = nullable(
  Type.String({ description: 'ISO 8601 with an offset, at most a year ahead: it is sent then.' }),
);

const variantInput = closed({
  tag,
  template_id: templateId,
  subject: Type.Optional(subject),
});

const splitInput = closed(
  {
    variants: Type.Array(
      closed({
        key: Type.String({ minLength: 1, maxLength: 64, description: 'Its name in statistics.' }),
        template_id: Type.Optional(nullable(templateId)),
        subject: Type.Optional(subject),
      }),
      { minItems: 2, maxItems: MAX_VARIANTS },
    ),
    test_percent: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 100,
        description: 'Share of the audience that the variants are tried on; the others get the winner.',
      }),
    ),
    metric: Type.Optional(oneOf(SPLIT_METRICS, { default: 'clicked' })),
    wait_minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_WAIT_MINUTES,
        default: 240,
        description: 'From the last copy of the trial to the choice of a winner.',
      }),
    ),
  },
  {
    description:
      'Divides the audience at random. The variant with the best rate of people who opened or clicked wins; the first ' +
      'of equals. Recipients with a variant by tag take no part.',
  },
);

const { from } = createMessage.properties;

const utmValue = nullable(Type.String({ maxLength: 200 }));
const UTM = {
  source: utmValue,
  medium: utmValue,
  campaign: utmValue,
  content: utmValue,
  term: utmValue,
};
const utm = Type.Object(UTM, { description: 'Null where a parameter is not set.' });
const utmInput = closed(
  {
    source: Type.Optional(UTM.source),
    medium: Type.Optional(UTM.medium),
    campaign: Type.Optional(UTM.campaign),
    content: Type.Optional(UTM.content),
    term: Type.Optional(UTM.term),
  },
  {
    description:
      'UTM parameters that are added to the links of every copy. `{{campaign_name}}`, `{{campaign_id}}` and `{{variant}}` are ' +
      'filled in. A link keeps the parameters that it has already. Null: none.',
    examples: [{ source: 'newsletter', medium: 'email', campaign: '{{campaign_name}}' }],
  },
);

const editable = {
  subject: Type.Optional(subject),
  from: Type.Optional(nullable(from)),
  reply_to: Type.Optional(nullable(mailbox)),
  segment_tag: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: MAX_TAG }))),
  variants: Type.Optional(
    Type.Array(variantInput, {
      description:
        'At most 4: whoever carries the tag gets this message instead; the first that matches wins.',
    }),
  ),
  split: Type.Optional(nullable(splitInput)),
  type: Type.Optional(oneOf(CAMPAIGN_TYPES)),
  track_opens: Type.Optional(nullable(Type.Boolean({ description: "Null: the organization's setting." }))),
  track_clicks: Type.Optional(nullable(Type.Boolean({ description: "Null: the organization's setting." }))),
  utm: Type.Optional(nullable(utmInput)),
  scheduled_at: Type.Optional(scheduledAt),
};

const audienceAndContent = {
  list_id: Type.Optional(
    nullable(Type.String({ maxLength: 64, description: 'A draft may be without; to be sent it needs one.' })),
  ),
  template_id: Type.Optional(
    nullable(Type.String({ maxLength: 64, description: 'A draft may be without; to be sent it needs one.' })),
  ),
};

export const campaignCreate = closed(
  {
    name,
    ...audienceAndContent,
    ...editable,
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  {
    examples: [
      {
        name: 'March news',
        list_id: 'lst_01j9z3k8q6v5w4x2y1r0n7m6a5',
        template_id: 'tpl_01j9z3k8q6v5w4x2y1r0n7m6a5',
        segment_tag: 'customers',
        variants: [{ tag: 'vip', template_id: 'tpl_01j9z3k8q6v5w4x2y1r0n7m6b6', subject: 'For you' }],
      },
    ],
  },
);
export type CampaignCreate = Static<typeof campaignCreate>;

export const campaignPatch = closed(
  {
    name: Type.Optional(name),
    ...audienceAndContent,
    ...editable,
  },
  { examples: [{ subject: 'News of March', segment_tag: null }] },
);
export type CampaignPatch = Static<typeof campaignPatch>;

const sender = Type.Object({ email: emailText, name: nullable(Type.String()) });
const count = Type.Integer();

const stats = Type.Object(
  {
    recipients: Type.Integer({ description: 'In its audience, once it is being sent.' }),
    queued: count,
    sent: count,
    delivered: count,
    opened: Type.Integer({ description: 'People, each once; machines are not counted.' }),
    clicked: Type.Integer({ description: 'People, each once; machines are not counted.' }),
    bounced: count,
    complained: count,
    unsubscribed: count,
    skipped: Type.Integer({
      description: 'Recipients without a copy: suppressed, unsubscribed, bounced, or off the list.',
    }),
    failed: Type.Integer({ description: 'Recipients whose copy could not be made, or not be sent.' }),
    in_doubt: Type.Integer({
      description:
        'Recipients whose copy may have arrived or not; `resend-in-doubt` sends these again. Counted now.',
    }),
  },
  { description: 'Counted up to a few seconds ago.' },
);

export const campaign = Type.Object({
  id: Type.String(),
  object: Type.Literal('campaign'),
  name: Type.String(),
  type: oneOf(CAMPAIGN_TYPES),
  status: oneOf(CAMPAIGN_STATUSES),
  list_id: nullable(
    Type.String({ description: 'Null when the list has been deleted, and in a draft that has none yet.' }),
  ),
  template_id: nullable(Type.String({ description: 'Null in a draft that has none yet.' })),
  subject: nullable(Type.String()),
  from: nullable(sender),
  reply_to: nullable(sender),
  segment_tag: nullable(Type.String()),
  variants: Type.Array(
    Type.Object({ tag: Type.String(), template_id: Type.String(), subject: nullable(Type.String()) }),
  ),
  split: nullable(
    Type.Object({
      variants: Type.Array(
        Type.Object({
          key: Type.String(),
          template_id: nullable(Type.String()),
          subject: nullable(Type.String()),
        }),
      ),
      test_percent: Type.Integer(),
      metric: oneOf(SPLIT_METRICS),
      wait_minutes: Type.Integer(),
      winner: nullable(Type.String({ description: 'The key that the others got; null until it is chosen.' })),
    }),
  ),
  track_opens: nullable(Type.Boolean()),
  track_clicks: nullable(Type.Boolean()),
  utm: nullable(utm),
  sub_tenant_id: nullable(Type.String()),
  sandbox: Type.Boolean(),
  problem: nullable(
    Type.Object(
      { code: Type.String(), message: Type.String() },
      {
        description:
          'Of a paused campaign: why it paused by itself. Of one that is `sending`: `quota_exceeded`, the plan has no sends left; recipients without a copy wait, and the campaign continues by itself when sends are available again.',
      },
    ),
  ),
  scheduled_at: nullable(timestamp),
  started_at: nullable(timestamp),
  paused_at: nullable(timestamp),
  sent_at: nullable(timestamp),
  stats,
  created_at: timestamp,
  updated_at: timestamp,
});
export type CampaignWire = Static<typeof campaign>;

export const campaignSummary = summaryOf('campaign_summary', campaign, [
  'id',
  'name',
  'type',
  'status',
  'template_id',
  'segment_tag',
  'sub_tenant_id',
  'sandbox',
  'scheduled_at',
  'started_at',
  'paused_at',
  'sent_at',
  'stats',
  'created_at',
  'updated_at',
]);

/** Of one kind: summaries where `view=summary` asks for them. */
export const campaignList = listOf(Type.Union([campaign, campaignSummary]));

export const campaignQuery = orderedQueryWith({
  q: partOf('the name'),
  view: viewOf('variants and settings'),
  status: anyOf(CAMPAIGN_STATUSES),
  list_id: Type.Optional(listId),
  sub_tenant_id: Type.Optional(Type.String({ maxLength: 200, description: "Only this sub-tenant's." })),
});

export const campaignSend = closed(
  { scheduled_at: Type.Optional(scheduledAt) },
  { examples: [{ scheduled_at: '2027-03-01T09:00:00+01:00' }] },
);

export const campaignDuplicate = closed(
  {
    name: Type.Optional(name),
    include_overrides: Type.Optional(
      Type.Boolean({ default: false, description: 'Copy the edited copies of single recipients, too.' }),
    ),
  },
  { examples: [{ name: 'April news' }] },
);

export const campaignTest = closed(
  {
    to: Type.Array(Type.String({ maxLength: 320 }), { minItems: 1, maxItems: MAX_TEST_RECIPIENTS }),
    email: Type.Optional(
      Type.String({
        maxLength: 320,
        description: 'The recipient of the copy; the newest recipient when missing.',
      }),
    ),
  },
  { examples: [{ to: ['me@example.com'], email: 'ann@example.com' }] },
);

export const campaignTestAnswer = Type.Object({
  object: Type.Literal('campaign_test'),
  campaign_id: Type.String(),
  email: Type.String({ description: 'The recipient of the copy.' }),
  messages: Type.Array(Type.Object({ id: Type.String(), to: Type.String(), status: Type.String() })),
});

export const campaignResend = Type.Object({
  object: Type.Literal('resend_in_doubt'),
  campaign_id: Type.String(),
  messages: Type.Integer({ description: 'Those that are in the queue again.' }),
});

export const PREFLIGHT_STATUSES = ['pass', 'warn', 'fail', 'unknown'] as const;

export const campaignPreflight = Type.Object({
  object: Type.Literal('campaign_preflight'),
  campaign_id: Type.String(),
  ready: Type.Boolean({ description: 'No check failed.' }),
  checked_at: timestamp,
  checks: Type.Array(
    Type.Object({
      code: Type.String(),
      status: oneOf(PREFLIGHT_STATUSES),
      message: Type.String(),
      details: nullable(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
});

nameSchemas({
  CampaignSummary: campaignSummary,
  CampaignList: campaignList,
  CampaignVariantInput: variantInput,
  CampaignSplitInput: splitInput,
  CampaignSplitVariantInput: splitInput.properties.variants.items,
  CampaignUtm: utm,
  CampaignUtmInput: utmInput,
  CampaignCreate: campaignCreate,
  CampaignUpdate: campaignPatch,
  Mailbox: sender,
  CampaignStats: stats,
  Campaign: campaign,
  CampaignVariant: campaign.properties.variants.items,
  CampaignSplit: campaign.properties.split.anyOf[0],
  CampaignSplitVariant: campaign.properties.split.anyOf[0].properties.variants.items,
  CampaignProblem: campaign.properties.problem.anyOf[0],
  CampaignSend: campaignSend,
  CampaignDuplicate: campaignDuplicate,
  CampaignTest: campaignTest,
  CampaignTestResult: campaignTestAnswer,
  CampaignTestMessage: campaignTestAnswer.properties.messages.items,
  CampaignResendInDoubt: campaignResend,
  CampaignPreflight: campaignPreflight,
  CampaignPreflightCheck: campaignPreflight.properties.checks.items,
});

nameEnums({ CampaignType: CAMPAIGN_TYPES });
