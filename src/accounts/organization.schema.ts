// API schemas of the organization.
import { Type, type Static } from 'typebox';
import { branding, brandingPatch } from './branding/branding.schema.js';
import { MESSAGE_TYPES } from '../contract/names.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

const UNSUBSCRIBE_BLOCKS = ['all', 'marketing'] as const;

const unsubscribeBlocks = oneOf(UNSUBSCRIBE_BLOCKS, {
  description: 'The messages that an unsubscribe blocks: all messages, or only marketing and sales.',
});

const REPLY_TO_POLICIES = ['verified', 'any'] as const;

const replyToPolicy = oneOf(REPLY_TO_POLICIES, {
  description:
    'The addresses allowed as `reply_to`: those of verified senders, or any. The vendor APIs and the SMTP relay always allow any address.',
});

const TWO_PERSON =
  'Whether the owner of an API key cannot approve or edit the messages that it sent, and editors cannot approve their own version.';

const untrackedTypes = Type.Array(oneOf(MESSAGE_TYPES), {
  uniqueItems: true,
  maxItems: MESSAGE_TYPES.length,
  description: 'Message types whose opens and clicks are not tracked by default.',
});

export const organization = Type.Object({
  id: Type.String(),
  object: Type.Literal('organization'),
  name: Type.String(),
  postal_address: nullable(Type.String()),
  unsubscribe_blocks: unsubscribeBlocks,
  track_opens: Type.Boolean(),
  track_clicks: Type.Boolean(),
  untracked_types: untrackedTypes,
  reply_to_policy: replyToPolicy,
  two_person: Type.Boolean({ description: TWO_PERSON }),
  branding,
  plan: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type OrganizationWire = Static<typeof organization>;

export const organizationPatch = closed(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    postal_address: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description:
            'The postal address in the footer of campaign emails and of marketing and sales emails sent by sequences. Without it, all marketing and sales email is rejected.',
        }),
      ),
    ),
    unsubscribe_blocks: Type.Optional(unsubscribeBlocks),
    track_opens: Type.Optional(
      Type.Boolean({ description: 'Default for messages that do not set `track_opens`.' }),
    ),
    track_clicks: Type.Optional(
      Type.Boolean({ description: 'Default for messages that do not set `track_clicks`.' }),
    ),
    untracked_types: Type.Optional(untrackedTypes),
    reply_to_policy: Type.Optional(replyToPolicy),
    two_person: Type.Optional(Type.Boolean({ description: TWO_PERSON })),
    branding: Type.Optional(brandingPatch),
  },
  {
    examples: [
      {
        postal_address: 'Customer Ltd, 1 High Street, Bremen',
        branding: { name: 'Customer', color: '#0b6e4f', website_url: 'https://customer.example' },
      },
    ],
  },
);

nameSchemas({
  Organization: organization,
  OrganizationUpdate: organizationPatch,
});

nameEnums({ UnsubscribeBlocks: UNSUBSCRIBE_BLOCKS, ReplyToPolicy: REPLY_TO_POLICIES });
