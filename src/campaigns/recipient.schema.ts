// Schemas of a campaign's recipients: previews, overrides and results.
import { Type, type Static } from 'typebox';
import { MAX_SUBJECT_SOURCE } from './campaign.schema.js';
import { anyOf, listOf, pageQueryWith } from '../contract/lists.js';
import { MESSAGE_STATUSES, RECIPIENT_RESULTS, RECIPIENT_STATES } from '../contract/names.js';
import { lastAttempt } from '../messages/message.schema.js';
import { closed, emailText, nameSchemas, nullable, oneOf, timestamp, sentence } from '../contract/schema.js';

const campaignRecipient = Type.Object({
  object: Type.Literal('campaign_recipient'),
  email: emailText,
  name: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  variant_tag: nullable(
    Type.String({
      description: 'The tag of the variant the recipient gets. `null` if none of their tags has a variant.',
    }),
  ),
  variant: nullable(
    Type.String({ description: 'The tag or the key of the random variant. `null` for the main content.' }),
  ),
  template_name: Type.String(),
  edited: Type.Boolean(),
  awaits_winner: Type.Boolean({
    description:
      'Whether the recipient will get the winner of the random test. Until the winner is selected, the main content is shown.',
  }),
  subject: nullable(Type.String()),
  html: nullable(Type.String()),
  text: nullable(Type.String()),
  problem: nullable(
    Type.Object(
      { code: Type.String(), message: sentence() },
      { description: 'Why no copy can be created for this recipient. Other recipients are not affected.' },
    ),
  ),
});
export type CampaignRecipientWire = Static<typeof campaignRecipient>;

export const campaignPreview = Type.Object({
  ...listOf(campaignRecipient).properties,
  total: nullable(
    Type.Integer({
      description:
        'Number of recipients who will get or have got a copy. Null while a large audience is counted for the first time.',
    }),
  ),
});

export const previewQuery = pageQueryWith({
  email: Type.Optional(Type.String({ maxLength: 320, description: "Return only this recipient's copy." })),
});

export const overridePut = closed(
  {
    email: Type.String({ maxLength: 320 }),
    subject: Type.Optional(nullable(Type.String({ maxLength: MAX_SUBJECT_SOURCE }))),
    html: Type.Optional(nullable(Type.String())),
  },
  {
    description:
      'Replaces the stored override of this recipient. Omitted parts come from the template or variant. If you change the HTML, the plain text is derived from it.',
    examples: [
      { email: 'ann@example.com', subject: 'A note for you, Ann', html: '<p>Hello {{first_name}}</p>' },
    ],
  },
);

export const overrideQuery = closed({ email: Type.String({ maxLength: 320 }) });

export const campaignOverride = Type.Object({
  object: Type.Literal('campaign_override'),
  campaign_id: Type.String(),
  email: emailText,
  subject: nullable(Type.String()),
  html: nullable(Type.String()),
  created_at: timestamp,
  updated_at: timestamp,
});

export const overrideDeleted = Type.Object({
  object: Type.Literal('campaign_override'),
  campaign_id: Type.String(),
  email: emailText,
  deleted: Type.Literal(true),
});

export const recipientsQuery = pageQueryWith({
  state: anyOf(RECIPIENT_STATES),
  did: anyOf(
    RECIPIENT_RESULTS,
    "Results of the copy or the recipient's reactions. Opens and clicks by bots do not count, and a click implies an open.",
  ),
  did_not: anyOf(
    RECIPIENT_RESULTS,
    'Excludes recipients with these results. For example, `did=delivered&did_not=opened` returns recipients who received the email but have not opened it.',
  ),
  in_doubt: Type.Optional(
    Type.Boolean({
      description:
        'If `true`, return only recipients whose copy may or may not have arrived. If `false`, exclude them.',
    }),
  ),
  email: Type.Optional(Type.String({ maxLength: 320 })),
});

export const campaignDelivery = Type.Object({
  object: Type.Literal('campaign_delivery'),
  email: emailText,
  state: oneOf(RECIPIENT_STATES, {
    description:
      'The state of the copy. `held`: waiting for the winner of the test. `created`: a message exists. `skipped` or `failed`: no copy was sent; if `message_id` is set, the copy was created and then canceled.',
  }),
  reason: nullable(Type.String({ description: 'The reason for `skipped` or `failed`.' })),
  variant: nullable(Type.String()),
  message_id: nullable(Type.String()),
  message_status: nullable(oneOf(MESSAGE_STATUSES, { description: 'The status of the message.' })),
  last_attempt: nullable(lastAttempt),
});
/** Includes the total if a counter has it. */
export const campaignDeliveryList = Type.Object({
  ...listOf(campaignDelivery).properties,
  total: nullable(
    Type.Integer({
      description:
        'Number of recipients on all pages, up to a few seconds old: the audience without filters, or the number in the funnel if `did` has a single value and is the only filter. `null` with other filters.',
    }),
  ),
});

nameSchemas({
  CampaignRecipient: campaignRecipient,
  CampaignRecipientProblem: campaignRecipient.properties.problem.anyOf[0],
  CampaignPreview: campaignPreview,
  CampaignOverridePut: overridePut,
  CampaignOverride: campaignOverride,
  CampaignOverrideDeleted: overrideDeleted,
  CampaignDelivery: campaignDelivery,
  CampaignDeliveryList: campaignDeliveryList,
});
