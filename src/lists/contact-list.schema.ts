// Wire shapes of lists: lists that people join and leave, and segments, whose members are the contacts that match a filter.
import { Type, type Static } from 'typebox';
import { contact, contactFilters, MAX_CONTACT_NAME } from '../contacts/contact.schema.js';
import { createdQueryWith, listOf, orderedQueryWith } from '../contract/lists.js';
import {
  closed,
  emailText,
  metadata,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  tagList,
  timestamp,
} from '../contract/schema.js';

/** Of one request; more are an import. */
const MAX_CONTACT_IDS = 1_000;
const MAX_GROWTH_DAYS = 366;

const listName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The name of the list. Recipients may see it.',
});
const description = nullable(
  Type.String({ maxLength: 1_000, description: 'A description shown on the sign-up and preference pages.' }),
);
const templateId = nullable(
  Type.String({
    maxLength: 64,
    description:
      'The template of the confirmation email, with the variables `confirmation_url` and `list_name`. `null` uses a plain default email.',
  }),
);

/** `segment.rules.ts` validates the conditions. */
const filter = nullable(
  closed(
    {
      all: Type.Optional(Type.Array(Type.Unknown())),
      any: Type.Optional(Type.Array(Type.Unknown())),
    },
    {
      description:
        'A filter that makes the list a segment: `all` or `any` of several conditions `{field, op, value}` or nested groups, with up to 3 levels and 50 conditions. Fields and operators: `email`, `name`, `phone` (eq, neq, contains, starts_with, ends_with, in, not_in, exists, not_exists); `status` (eq, neq, in, not_in); `tag` (has, not_has, in, not_in, exists, not_exists); `list` (has, not_has, in, not_in, with IDs); `created_at`, `updated_at` (before, after); `metadata.<key>` (as for email, plus gt, gte, lt, lte with a number, and before, after with a date). Text comparisons ignore case. A condition on a missing value is false, and its negation is true.',
      examples: [
        {
          all: [
            { field: 'tag', op: 'has', value: 'vip' },
            { field: 'metadata.city', op: 'eq', value: 'Bremen' },
          ],
        },
      ],
    },
  ),
);

const formOrigins = Type.Array(Type.String({ maxLength: 200 }), {
  maxItems: 20,
  description: 'Web origins, for example `https://www.example.com`.',
});

export const contactListObject = Type.Object({
  id: Type.String(),
  object: Type.Literal('contact_list'),
  name: Type.String(),
  description: nullable(Type.String()),
  contacts: Type.Integer({ description: 'Number of subscribed members. For a segment, the last count.' }),
  counted_at: nullable(
    Type.String({ description: 'When the segment was last counted. `null` for other lists.' }),
  ),
  double_opt_in: Type.Boolean(),
  confirmation_template_id: nullable(Type.String()),
  filter: nullable(Type.Record(Type.String(), Type.Unknown())),
  sign_up_url: nullable(
    Type.String({
      format: 'uri',
      description: "URL of the public sign-up page for the key's environment. Not available for segments.",
    }),
  ),
  publishable_key: nullable(
    Type.String({
      description:
        'The publishable key (`pk_…`) with which a form on any website can sign up contacts to this list. It allows nothing else and is not a secret.',
    }),
  ),
  form_origins: Type.Array(Type.String(), {
    description: 'Origins to which a form can redirect the browser with `redirect_url`.',
  }),
  sub_tenant_id: nullable(Type.String()),
  created_at: timestamp,
  updated_at: timestamp,
});

export const contactLists = listOf(contactListObject);

export const contactListCreate = closed(
  {
    name: listName,
    description: Type.Optional(description),
    double_opt_in: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether people who sign up must confirm by email before they are subscribed.',
      }),
    ),
    confirmation_template_id: Type.Optional(templateId),
    filter: Type.Optional(filter),
    form_origins: Type.Optional(formOrigins),
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  { examples: [{ name: 'Newsletter', description: 'Once a month.', double_opt_in: true }] },
);

/** A list cannot become a segment, or a segment a list. */
export type ContactListCreate = Static<typeof contactListCreate>;

export const contactListPatch = closed(
  {
    name: Type.Optional(listName),
    description: Type.Optional(description),
    double_opt_in: Type.Optional(Type.Boolean()),
    confirmation_template_id: Type.Optional(templateId),
    filter: Type.Optional(filter),
    form_origins: Type.Optional(formOrigins),
  },
  { examples: [{ name: 'Newsletter', double_opt_in: true }] },
);

export type ContactListPatch = Static<typeof contactListPatch>;

export const contactListQuery = orderedQueryWith({
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name.' })),
});

const MEMBER_STATES = ['subscribed', 'pending'] as const;

export const listMember = Type.Object({
  ...contact.properties,
  list_state: oneOf(MEMBER_STATES, {
    description:
      'The state of the membership. `pending` members have signed up but not confirmed and get no email.',
  }),
  joined_at: nullable(Type.String({ description: 'When the contact joined the list. `null` in a segment.' })),
});
export type ListMemberWire = Static<typeof listMember>;

export const listMembers = listOf(listMember);

export const listMemberQuery = createdQueryWith({
  q: contactFilters.q,
  tag: contactFilters.tag,
  status: contactFilters.status,
  list_state: Type.Optional(
    oneOf(MEMBER_STATES, {
      default: 'subscribed',
      description: 'Membership state. `pending` returns contacts who have signed up but not confirmed.',
    }),
  ),
});

const personFields = {
  name: Type.Optional(nullable(Type.String({ maxLength: MAX_CONTACT_NAME }))),
  metadata: Type.Optional(metadata),
  tags: Type.Optional(tagList),
};

export const listMemberAdd = closed(
  {
    contact_id: Type.Optional(Type.String({ maxLength: 64 })),
    contact_ids: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: MAX_CONTACT_IDS }),
    ),
    email: Type.Optional(
      Type.String({ description: 'The address to add. A contact is created if none exists.' }),
    ),
    ...personFields,
    resubscribe: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether to add contacts back who unsubscribed from the list themselves. Use it only with their consent.',
      }),
    ),
  },
  {
    description:
      "Pass exactly one of `contact_id`, `contact_ids` and `email`. With `email`, `name` replaces the contact's name, `metadata` is merged by key, and `tags` are added.",
    examples: [{ email: 'ann@example.com', name: 'Ann Smith', tags: ['vip'] }],
  },
);
export type ListMemberAdd = Static<typeof listMemberAdd>;

export const listAddition = Type.Object({
  object: Type.Literal('list_addition'),
  list_id: Type.String(),
  added: Type.Integer(),
  already: Type.Integer({ description: 'Number of contacts who were already on the list.' }),
  unsubscribed: Type.Array(Type.String(), {
    description: 'IDs of contacts who unsubscribed from the list themselves and were not added.',
  }),
  missing: Type.Array(Type.String(), { description: 'IDs without a contact that can join the list.' }),
});

export const listMemberRemoved = Type.Object({
  id: Type.String({ description: "The contact's ID." }),
  object: Type.Literal('list_member'),
  list_id: Type.String(),
  deleted: Type.Literal(true),
});

export const listMemberParams = Type.Object({
  id: Type.String(),
  contact_id: Type.String({ description: "The contact's ID or its URL-encoded address." }),
});

export const listTags = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(Type.Object({ tag: Type.String(), contacts: Type.Integer() }), {
    description: 'Tags of subscribed members, most frequent first, up to 10,000. Up to one minute old.',
  }),
  has_more: Type.Literal(false),
  next_cursor: Type.Null(),
});

export const growthQuery = closed({
  window_days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_GROWTH_DAYS, default: 30 })),
});

export const listGrowth = Type.Object({
  object: Type.Literal('list_growth'),
  list_id: Type.String(),
  window_days: Type.Integer(),
  joined: Type.Integer(),
  unsubscribed: Type.Integer({ description: 'Contacts who left the list or were removed from it.' }),
  contacts: Type.Integer({ description: 'Current number of contacts.' }),
  series: Type.Array(
    Type.Object({
      date: Type.String({ description: 'The day (UTC).' }),
      joined: Type.Integer(),
      unsubscribed: Type.Integer(),
      contacts: nullable(
        Type.Integer({
          description:
            'Number of contacts at the end of the day. For a segment, only known for the last day.',
        }),
      ),
    }),
  ),
});
export type ListGrowthWire = Static<typeof listGrowth>;

export const subscribeRequest = closed(
  { list_id: Type.String({ maxLength: 64 }), email: Type.String(), ...personFields },
  { examples: [{ list_id: 'lst_01kdyak3se4w5amvgkazjzkvb7', email: 'ann@example.com', name: 'Ann Smith' }] },
);

export const subscription = Type.Object({
  object: Type.Literal('subscription'),
  list_id: Type.String(),
  contact_id: Type.String(),
  email: emailText,
  status: oneOf(MEMBER_STATES, {
    description:
      'The subscription status. `pending` means that a confirmation email was sent, either because the list uses double opt-in or because the contact had left it.',
  }),
});

export const listPreviewRequest = closed(
  {
    filter,
    sub_tenant_id: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  },
  { examples: [{ filter: { all: [{ field: 'tag', op: 'has', value: 'vip' }] } }] },
);

export const listPreview = Type.Object({
  object: Type.Literal('list_preview'),
  contacts: Type.Integer({ description: 'Number of contacts that currently match, in any status.' }),
  sample: Type.Array(contact, { description: 'The newest matching contacts, up to 10.' }),
});

nameSchemas({
  ListPreviewRequest: listPreviewRequest,
  ListPreview: listPreview,
  SegmentFilter: filter.anyOf[0],
  MailingList: contactListObject,
  MailingListList: contactLists,
  MailingListCreate: contactListCreate,
  MailingListUpdate: contactListPatch,
  ListMember: listMember,
  ListMemberList: listMembers,
  ListMemberAdd: listMemberAdd,
  ListAddition: listAddition,
  ListMemberRemoved: listMemberRemoved,
  ListTag: listTags.properties.data.items,
  ListTagList: listTags,
  ListGrowth: listGrowth,
  ListGrowthDay: listGrowth.properties.series.items,
  SubscribeRequest: subscribeRequest,
  Subscription: subscription,
});

nameEnums({ ListMemberState: MEMBER_STATES });
