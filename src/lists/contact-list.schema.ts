// Lists: those that people join and leave, and segments, whose members are the contacts that match a filter.
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

const listName = Type.String({ minLength: 1, maxLength: 200, description: 'Recipients may see it.' });
const description = nullable(
  Type.String({ maxLength: 1_000, description: 'Shown on the sign-up and the preference page.' }),
);
const templateId = nullable(
  Type.String({
    maxLength: 64,
    description:
      'The mail that asks for confirmation; the variables confirmation_url and list_name are filled in. Null: a plain one.',
  }),
);

/** Its conditions are read by lists/segment.rules, which names what is wrong with each. */
const filter = nullable(
  closed(
    {
      all: Type.Optional(Type.Array(Type.Unknown())),
      any: Type.Optional(Type.Array(Type.Unknown())),
    },
    {
      description:
        'Makes the list a segment: `all` or `any` of conditions {field, op, value} or further groups, 3 levels and 50 ' +
        'conditions at most. Fields: email, name, phone (eq, neq, contains, starts_with, ends_with, in, not_in, exists, ' +
        'not_exists), status (eq, neq, in, not_in), tag (has, not_has, in, not_in, exists, not_exists), list (has, ' +
        'not_has, in, not_in, with ids), created_at, updated_at (before, after), metadata.<key> (as email, and gt, gte, ' +
        'lt, lte with a number, before and after with a day). Text is compared without regard to case; a condition on ' +
        'something that a contact does not have is false, and its negation true.',
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
  description: 'Origins, such as https://www.example.com.',
});

export const contactListObject = Type.Object({
  id: Type.String(),
  object: Type.Literal('contact_list'),
  name: Type.String(),
  description: nullable(Type.String()),
  contacts: Type.Integer({ description: 'Subscribed members; of a segment as last counted.' }),
  counted_at: nullable(Type.String({ description: 'When a segment was counted; null for other lists.' })),
  double_opt_in: Type.Boolean(),
  confirmation_template_id: nullable(Type.String()),
  filter: nullable(Type.Record(Type.String(), Type.Unknown())),
  sign_up_url: nullable(
    Type.String({
      format: 'uri',
      description: 'A page where people sign up, of the environment of the key; segments have none.',
    }),
  ),
  publishable_key: nullable(
    Type.String({
      description: '`pk_…`: signs up to this list from a form of any site, and does nothing else. No secret.',
    }),
  ),
  form_origins: Type.Array(Type.String(), {
    description: 'Where a form may lead a browser to afterwards, by `redirect_url`.',
  }),
  sub_tenant_id: nullable(Type.String()),
  created_at: timestamp,
  updated_at: timestamp,
});
export type ContactListWire = Static<typeof contactListObject>;

export const contactLists = listOf(contactListObject);

export const contactListCreate = closed(
  {
    name: listName,
    description: Type.Optional(description),
    double_opt_in: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True: people who sign up are subscribed once they have confirmed by mail.',
      }),
    ),
    confirmation_template_id: Type.Optional(templateId),
    filter: Type.Optional(filter),
    form_origins: Type.Optional(formOrigins),
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  { examples: [{ name: 'Newsletter', description: 'Once a month.', double_opt_in: true }] },
);

/** A list stays what it is: a segment keeps having a filter, any other list never gets one. */
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

export const contactListQuery = orderedQueryWith({
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name.' })),
});

const MEMBER_STATES = ['subscribed', 'pending'] as const;

export const listMember = Type.Object({
  ...contact.properties,
  list_state: oneOf(MEMBER_STATES, {
    description: '`pending`: has signed up and not confirmed yet; gets nothing.',
  }),
  joined_at: nullable(Type.String({ description: 'Null in a segment.' })),
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
      description: '`pending`: contacts who have signed up and not confirmed yet.',
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
      Type.String({ description: 'Added to the contacts when it is not one of them yet.' }),
    ),
    ...personFields,
    resubscribe: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Also puts back contacts who left the list on their own. Use it with their consent only.',
      }),
    ),
  },
  {
    description:
      'One of contact_id, contact_ids and email. With email, name replaces the contact’s, metadata is merged by key and ' +
      'tags are added.',
    examples: [{ email: 'ann@example.com', name: 'Ann Smith', tags: ['vip'] }],
  },
);
export type ListMemberAdd = Static<typeof listMemberAdd>;

export const listAddition = Type.Object({
  object: Type.Literal('list_addition'),
  list_id: Type.String(),
  added: Type.Integer(),
  already: Type.Integer({ description: 'Contacts who were on the list before.' }),
  unsubscribed: Type.Array(Type.String(), {
    description: 'Ids of contacts who left on their own, and stay off the list.',
  }),
  missing: Type.Array(Type.String(), { description: 'Ids without a contact that may join.' }),
});

export const listMemberRemoved = Type.Object({
  id: Type.String({ description: "The contact's." }),
  object: Type.Literal('list_member'),
  list_id: Type.String(),
  deleted: Type.Literal(true),
});

export const listMemberParams = Type.Object({
  id: Type.String(),
  contact_id: Type.String({ description: 'Its id, or its address, URL-encoded.' }),
});

export const listTags = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(Type.Object({ tag: Type.String(), contacts: Type.Integer() }), {
    description: 'The most frequent first, at most 10,000. Subscribed members only; a minute old at most.',
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
  unsubscribed: Type.Integer({ description: 'Contacts who left the list, or were taken off it.' }),
  contacts: Type.Integer({ description: 'Now.' }),
  series: Type.Array(
    Type.Object({
      date: Type.String({ description: 'UTC.' }),
      joined: Type.Integer(),
      unsubscribed: Type.Integer(),
      contacts: nullable(
        Type.Integer({ description: 'At the end of the day; of a segment only the last is known.' }),
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
      '`pending`: a mail asks for confirmation, on lists with double opt-in, and for contacts who have left the list.',
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
  contacts: Type.Integer({ description: 'Contacts who match now, whatever their status.' }),
  sample: Type.Array(contact, { description: 'The newest of them, at most 10.' }),
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
