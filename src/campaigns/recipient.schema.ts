// Recipients of a campaign on the wire: the copies that they would get, the edited ones, and what became of each.
import { Type, type Static } from 'typebox';
import { MAX_SUBJECT_SOURCE } from './campaign.schema.js';
import { anyOf, listOf, pageQueryWith } from '../contract/lists.js';
import { MESSAGE_STATUSES, RECIPIENT_DEEDS, RECIPIENT_STATES } from '../contract/names.js';
import { lastAttempt } from '../messages/message.schema.js';
import { closed, emailText, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

export const campaignRecipient = Type.Object({
  object: Type.Literal('campaign_recipient'),
  email: emailText,
  name: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  variant_tag: nullable(Type.String({ description: 'Null: they have no variant by tag.' })),
  variant: nullable(
    Type.String({ description: "The tag, or the key of the random split; null: the base's copy." }),
  ),
  template_name: Type.String(),
  edited: Type.Boolean(),
  awaits_winner: Type.Boolean({
    description: 'True: they get the winner of the random split; until that is known the base is shown.',
  }),
  subject: nullable(Type.String()),
  html: nullable(Type.String()),
  text: nullable(Type.String()),
  problem: nullable(
    Type.Object(
      { code: Type.String(), message: Type.String() },
      { description: 'Why they cannot have a copy; the others can.' },
    ),
  ),
});
export type CampaignRecipientWire = Static<typeof campaignRecipient>;

export const campaignPreview = Type.Object({
  ...listOf(campaignRecipient).properties,
  total: Type.Integer({ description: 'Recipients who would get a copy, or got one.' }),
});

export const previewQuery = pageQueryWith({
  email: Type.Optional(Type.String({ maxLength: 320, description: 'Only the copy of this recipient.' })),
});

export const overridePut = closed(
  {
    email: Type.String({ maxLength: 320 }),
    subject: Type.Optional(nullable(Type.String({ maxLength: MAX_SUBJECT_SOURCE }))),
    html: Type.Optional(nullable(Type.String())),
  },
  {
    description:
      'Replaces the stored edit for this recipient. A part that is left out stays as in the template or the variant; the text is derived from an edited html.',
    examples: [
      { email: 'ann@example.com', subject: 'Ann, one more thing', html: '<p>Hello {{first_name}}</p>' },
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
    RECIPIENT_DEEDS,
    'The result of their copy, or their reaction; people only, as in the funnel: a recipient who clicked has opened, too.',
  ),
  did_not: anyOf(
    RECIPIENT_DEEDS,
    'Leaves out recipients who did. With `did=delivered`: recipients who got it, but did not.',
  ),
  in_doubt: Type.Optional(
    Type.Boolean({ description: 'True: those whose copy may have arrived or not; false: the others.' }),
  ),
  email: Type.Optional(Type.String({ maxLength: 320 })),
});

export const campaignDelivery = Type.Object({
  object: Type.Literal('campaign_delivery'),
  email: emailText,
  state: oneOf(RECIPIENT_STATES, {
    description:
      '`held` waits for the winner of the split; `created` has a message; `skipped` and `failed` got none: a `message_id` there is of a copy that was made and canceled.',
  }),
  reason: nullable(Type.String({ description: 'Of `skipped` and `failed`.' })),
  variant: nullable(Type.String()),
  message_id: nullable(Type.String()),
  message_status: nullable(oneOf(MESSAGE_STATUSES, { description: 'The status of the message.' })),
  last_attempt: nullable(lastAttempt),
});
/** With how many there are, where a counter says it. */
export const campaignDeliveryList = Type.Object({
  ...listOf(campaignDelivery).properties,
  total: nullable(
    Type.Integer({
      description:
        'The total of all pages, counted up to a few seconds ago: without a filter the audience, with a single `did` alone the number in the funnel. Null with other filters.',
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
