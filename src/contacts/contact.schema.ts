// Contacts: the people that marketing and sales mail may go to, and what templates know about them.
import { Type, type Static } from 'typebox';
import { anyOf, listOf } from '../contract/lists.js';
import {
  ACTORS,
  CONTACT_STATUSES,
  DIRECTIONS,
  MESSAGE_TRAIL_EVENTS,
  MESSAGE_TYPES,
} from '../contract/names.js';
import {
  closed,
  emailText,
  KEEPS_EMPTY,
  MAX_TAG,
  metadata,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  tagList,
  timestamp,
} from '../contract/schema.js';

/** Characters. */
export const MAX_CONTACT_NAME = 200;
export const MAX_PHONE = 40;

export const contact = Type.Object({
  id: Type.String(),
  object: Type.Literal('contact'),
  email: emailText,
  name: nullable(Type.String()),
  phone: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  metadata,
  status: oneOf(CONTACT_STATUSES),
  sub_tenant_id: nullable(Type.String()),
  created_at: timestamp,
  updated_at: timestamp,
});
export type ContactWire = Static<typeof contact>;

export const contactList = Type.Object({
  ...listOf(contact).properties,
  total: Type.Integer({ description: 'All matches, on all pages.' }),
  total_exact: Type.Boolean({
    description:
      'False where no counter says how many match and more than 2,000 would have to be looked at: then there are at ' +
      'least `total`. Of a large segment it is the last count.',
  }),
});

const editable = {
  name: Type.Optional(nullable(Type.String({ maxLength: MAX_CONTACT_NAME }))),
  phone: Type.Optional(nullable(Type.String({ maxLength: MAX_PHONE }))),
  tags: Type.Optional(tagList),
  metadata: Type.Optional(metadata),
  status: Type.Optional(
    oneOf(['active', 'unsubscribed'], {
      description:
        '`unsubscribed` suppresses the address for all mail. `active` lifts a suppression with the reason `unsubscribe`; use ' +
        'it with the consent of the person only. A suppression with another reason refuses it (`recipient_suppressed`).',
    }),
  ),
};

export const contactUpsert = closed(
  {
    email: Type.String(),
    ...editable,
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  {
    [KEEPS_EMPTY]: true,
    examples: [{ email: 'ann@example.com', name: 'Ann Smith', tags: ['vip'], metadata: { city: 'Bremen' } }],
  },
);
export type ContactUpsert = Static<typeof contactUpsert>;

export const contactConsent = Type.Object(
  {
    list_id: Type.String(),
    event: oneOf(['requested', 'joined', 'confirmed'], {
      description: '`requested`: a mail asked them to confirm. `confirmed`: they did.',
    }),
    occurred_at: timestamp,
    actor: oneOf(ACTORS, { description: '`recipient`: somebody who filled in a page.' }),
    actor_id: nullable(Type.String({ description: 'Of the API key or the person.' })),
    source: Type.String({ description: 'The page, or the call; of an import, with its id.' }),
    ip: nullable(Type.String()),
    user_agent: nullable(Type.String()),
  },
  { description: 'Who asked that a contact joins a list, from where and how.' },
);

/** A line of an export. */
export type ExportedContact = ContactWire & { consents: Static<typeof contactConsent>[] };

export const contactPatch = closed(editable, {
  examples: [{ name: 'Ann Miller', tags: ['vip', 'customer'] }],
});
export type ContactPatch = Static<typeof contactPatch>;

export const contactFilters = {
  q: Type.Optional(
    Type.String({
      maxLength: 254,
      description:
        'Part of the address or name; of one or two letters, the beginning of the address or of a word of the name.',
    }),
  ),
  tag: Type.Optional(Type.String({ maxLength: MAX_TAG })),
  status: anyOf(CONTACT_STATUSES),
  list_id: Type.Optional(Type.String({ description: 'Subscribed to this list, or in this segment.' })),
};

export const contactParams = Type.Object({
  id: Type.String({ description: 'Its id, or its address, URL-encoded.' }),
});

export const contactActivity = Type.Object(
  {
    object: Type.Literal('contact_activity'),
    event: oneOf([...MESSAGE_TRAIL_EVENTS, 'list_joined', 'list_requested', 'list_left'], {
      description:
        'An entry of a message’s trail, or a change of a list membership. `list_requested`: signed up and not confirmed yet.',
    }),
    occurred_at: timestamp,
    message: nullable(
      Type.Object({
        id: Type.String(),
        subject: Type.String(),
        type: oneOf(MESSAGE_TYPES),
        direction: oneOf(DIRECTIONS),
        campaign_id: nullable(Type.String()),
        sequence_id: nullable(Type.String()),
      }),
    ),
    list: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    actor: nullable(oneOf(ACTORS)),
    metadata: Type.Record(Type.String(), Type.Unknown(), { description: 'Detail of the trail entry.' }),
    provider: Type.Optional(Type.String()),
    provider_message_id: Type.Optional(Type.String()),
    ip: Type.Optional(Type.String()),
    user_agent: Type.Optional(Type.String()),
  },
  { description: 'An action of a contact, or a change of them.' },
);
export type ContactActivityWire = Static<typeof contactActivity>;

export const contactErasure = Type.Object({
  object: Type.Literal('contact_erasure'),
  complete: Type.Boolean({
    description:
      'False while a delivery worker has copies: send the request again in a minute for those. Repeating it is always safe.',
  }),
  erased: Type.Object({
    contacts: Type.Integer(),
    messages_sent: Type.Integer(),
    messages_received: Type.Integer(),
    messages_canceled: Type.Integer({ description: 'Messages that were still waiting.' }),
    attachments: Type.Integer({ description: 'Files that no other mail carries.' }),
    threads: Type.Integer(),
    events: Type.Integer({
      description: 'Trail entries whose details are gone; the entries themselves stay.',
    }),
    campaign_recipients: Type.Integer(),
    list_unsubscribes: Type.Integer(),
    inbound_messages: Type.Integer({
      description: 'Received mail, reports about mail to them included.',
    }),
  }),
  kept: Type.Object({
    suppressions: Type.Integer({
      description:
        'The address stays on the suppression list where it was, so that nobody writes to it again.',
    }),
  }),
});
export type ContactErasureWire = Static<typeof contactErasure>;

nameSchemas({
  Contact: contact,
  ContactList: contactList,
  ContactUpsert: contactUpsert,
  ContactConsent: contactConsent,
  ContactUpdate: contactPatch,
  ContactActivity: contactActivity,
  ContactActivityMessage: contactActivity.properties.message.anyOf[0],
  ContactActivityPlace: contactActivity.properties.list.anyOf[0],
  ContactErasure: contactErasure,
  ContactErasureCounts: contactErasure.properties.erased,
  ContactErasureKept: contactErasure.properties.kept,
});

nameEnums({ ConsentEvent: ['requested', 'joined', 'confirmed'] });
