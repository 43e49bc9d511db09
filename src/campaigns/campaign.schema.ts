// Schemas of campaigns, their checks and their results.
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
  sentence,
} from '../contract/schema.js';

/** Maximum number of variants in a campaign. */
export const MAX_VARIANTS = 4;
const MAX_TEST_RECIPIENTS = 20;
export const MAX_SUBJECT_SOURCE = 10_000;
const MAX_WAIT_MINUTES = 30 * 24 * 60;

const CAMPAIGN_TYPES = ['marketing', 'sales'] as const;

const name = Type.String({ minLength: 1, maxLength: 200 });
const listId = Type.String({ maxLength: 64 });
const templateId = Type.String({ maxLength: 64 });
const subject = nullable(
  Type.String({
    maxLength: MAX_SUBJECT_SOURCE,
    description: "The subject. Overrides the template's subject.",
  }),
);
const tag = Type.String({ minLength: 1, maxLength: MAX_TAG });
const scheduledAt = nullable(
  Type.String({
    description:
      'Time at which to send the campaign, as an ISO 8601 time with an offset, up to a year ahead.',
  }),
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
        key: Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'The name of the variant in statistics.',
        }),
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
        description:
          'Percentage of the audience that receives the test variants. Everyone else gets the winner.',
      }),
    ),
    metric: Type.Optional(oneOf(SPLIT_METRICS, { default: 'clicked' })),
    wait_minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_WAIT_MINUTES,
        default: 240,
        description: 'Minutes between the last test copy and the selection of the winner.',
      }),
    ),
  },
  {
    description:
      'Settings of a random A/B test. The variant with the highest open or click rate by people wins; in a tie, the first. Recipients who match a variant by tag are not part of the test.',
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
const utm = Type.Object(UTM, { description: 'UTM parameters. Parameters that are not set are `null`.' });
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
      'UTM parameters to add to the links of every copy. The placeholders `{{campaign_name}}`, `{{campaign_id}}` and `{{variant}}` are supported. Parameters that a link already has are not changed. `null` adds none.',
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
        'Up to 4 variants by tag. A contact with the tag gets the variant instead of the main content. The first match wins.',
    }),
  ),
  split: Type.Optional(nullable(splitInput)),
  type: Type.Optional(oneOf(CAMPAIGN_TYPES)),
  track_opens: Type.Optional(
    nullable(
      Type.Boolean({ description: "Whether to track opens. `null` uses the organization's setting." }),
    ),
  ),
  track_clicks: Type.Optional(
    nullable(
      Type.Boolean({ description: "Whether to track clicks. `null` uses the organization's setting." }),
    ),
  ),
  utm: Type.Optional(nullable(utmInput)),
  scheduled_at: Type.Optional(scheduledAt),
};

const audienceAndContent = {
  list_id: Type.Optional(
    nullable(
      Type.String({
        maxLength: 64,
        description: 'The list to send to. Optional for a draft but required before sending.',
      }),
    ),
  ),
  template_id: Type.Optional(
    nullable(
      Type.String({
        maxLength: 64,
        description: 'The template to send. Optional for a draft but required before sending.',
      }),
    ),
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
        name: 'March newsletter',
        list_id: 'lst_01j9z3k8q6v5w4x2y1r0n7m6a5',
        template_id: 'tpl_01j9z3k8q6v5w4x2y1r0n7m6a5',
        segment_tag: 'customers',
        variants: [
          { tag: 'vip', template_id: 'tpl_01j9z3k8q6v5w4x2y1r0n7m6b6', subject: 'An offer just for you' },
        ],
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
  { examples: [{ subject: 'Our March newsletter', segment_tag: null }] },
);
export type CampaignPatch = Static<typeof campaignPatch>;

const sender = Type.Object({ email: emailText, name: nullable(Type.String()) });
const count = Type.Integer();

const stats = Type.Object(
  {
    recipients: Type.Integer({
      description: 'Number of recipients in the audience, once sending has begun.',
    }),
    queued: count,
    sent: count,
    delivered: count,
    opened: Type.Integer({
      description: 'Number of people who opened the email. Automated opens are not counted.',
    }),
    clicked: Type.Integer({
      description: 'Number of people who clicked a link. Automated clicks are not counted.',
    }),
    bounced: count,
    complained: count,
    unsubscribed: count,
    skipped: Type.Integer({
      description:
        'Recipients without a copy because they were suppressed, unsubscribed, bounced or no longer on the list.',
    }),
    failed: Type.Integer({ description: 'Recipients whose copy could not be created or sent.' }),
    in_doubt: Type.Integer({
      description:
        'Recipients whose copy may or may not have arrived. Resend these with `resend-in-doubt`. Always current.',
    }),
  },
  { description: 'Results of the campaign, up to a few seconds old.' },
);

export const campaign = Type.Object({
  id: Type.String(),
  object: Type.Literal('campaign'),
  name: Type.String(),
  type: oneOf(CAMPAIGN_TYPES),
  status: oneOf(CAMPAIGN_STATUSES),
  list_id: nullable(
    Type.String({
      description:
        'The list the campaign is sent to. `null` if the list was deleted or the draft has none yet.',
    }),
  ),
  template_id: nullable(Type.String({ description: 'The template. `null` if the draft has none yet.' })),
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
      winner: nullable(
        Type.String({ description: 'The key of the winning variant. `null` until the winner is selected.' }),
      ),
    }),
  ),
  track_opens: nullable(Type.Boolean()),
  track_clicks: nullable(Type.Boolean()),
  utm: nullable(utm),
  sub_tenant_id: nullable(Type.String()),
  sandbox: Type.Boolean(),
  problem: nullable(
    Type.Object(
      { code: Type.String(), message: sentence() },
      {
        description:
          "Why a paused campaign was paused automatically. For a campaign that is `sending`, `quota_exceeded` means that the plan's sending limit has been reached. The remaining recipients wait, and the campaign continues automatically when the plan allows more.",
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

/** All items are summaries if the request has `view=summary`. */
export const campaignList = listOf(Type.Union([campaign, campaignSummary]));

export const campaignQuery = orderedQueryWith({
  q: partOf('the name'),
  view: viewOf('variants and settings'),
  status: anyOf(CAMPAIGN_STATUSES),
  list_id: Type.Optional(listId),
  sub_tenant_id: Type.Optional(
    Type.String({ maxLength: 200, description: 'Return only campaigns of this sub-tenant.' }),
  ),
});

export const campaignSend = closed(
  { scheduled_at: Type.Optional(scheduledAt) },
  { examples: [{ scheduled_at: '2027-03-01T09:00:00+01:00' }] },
);

export const campaignDuplicate = closed(
  {
    name: Type.Optional(name),
    include_overrides: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to also copy the overrides of individual recipients.',
      }),
    ),
  },
  { examples: [{ name: 'April newsletter' }] },
);

export const campaignTest = closed(
  {
    to: Type.Array(Type.String({ maxLength: 320 }), { minItems: 1, maxItems: MAX_TEST_RECIPIENTS }),
    email: Type.Optional(
      Type.String({
        maxLength: 320,
        description: 'The recipient whose copy is sent. Defaults to the newest recipient.',
      }),
    ),
  },
  { examples: [{ to: ['me@example.com'], email: 'ann@example.com' }] },
);

export const campaignTestAnswer = Type.Object({
  object: Type.Literal('campaign_test'),
  campaign_id: Type.String(),
  email: Type.String({ description: 'The recipient whose copy was sent.' }),
  messages: Type.Array(Type.Object({ id: Type.String(), to: Type.String(), status: Type.String() })),
});

export const campaignResend = Type.Object({
  object: Type.Literal('resend_in_doubt'),
  campaign_id: Type.String(),
  messages: Type.Integer({ description: 'Number of messages queued again.' }),
});

export const PREFLIGHT_STATUSES = ['pass', 'warn', 'fail', 'unknown'] as const;

export const campaignPreflight = Type.Object({
  object: Type.Literal('campaign_preflight'),
  campaign_id: Type.String(),
  ready: Type.Boolean({
    description: 'Whether the campaign is ready to be sent. `true` if no check failed.',
  }),
  checked_at: timestamp,
  checks: Type.Array(
    Type.Object({
      code: Type.String(),
      status: oneOf(PREFLIGHT_STATUSES),
      message: sentence(),
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
