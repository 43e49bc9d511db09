// Wire shapes of /v1/contacts.
import { Type, type Static } from 'typebox';
import { anyOf, listOf } from '../contract/lists.js';
import { ACTORS, CONTACT_STATUSES } from '../contract/names.js';
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

/** Largest length of a name, in characters. */
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
  total: Type.Integer({ description: 'Number of matching contacts on all pages.' }),
  total_exact: Type.Boolean({
    description:
      'Whether `total` is exact. If `false`, `total` is a lower bound, because counting would examine more than 2,000 contacts. For a large segment, `total` is then the last count.',
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
        "The status. `unsubscribed` suppresses the address for all email. `active` lifts a suppression with the reason `unsubscribe`; use it only with the person's consent. It fails with `recipient_suppressed` if the suppression has another reason.",
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
      description:
        '`requested` if the contact was sent a confirmation email, `confirmed` once they have confirmed.',
    }),
    occurred_at: timestamp,
    actor: oneOf(ACTORS, {
      description: 'Who made the change. `recipient` is someone who filled in a public page.',
    }),
    actor_id: nullable(Type.String({ description: 'The ID of the API key or user.' })),
    source: Type.String({ description: 'The page or API call, or for an import, its ID.' }),
    ip: nullable(Type.String()),
    user_agent: nullable(Type.String()),
  },
  { description: 'Record of who asked for a contact to join a list, and how.' },
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
        'Part of the address or name. One or two letters match only the beginning of the address or of a word in the name.',
    }),
  ),
  tag: Type.Optional(Type.String({ maxLength: MAX_TAG })),
  status: anyOf(CONTACT_STATUSES),
  list_id: Type.Optional(
    Type.String({ description: 'Return only subscribed members of this list, or contacts in this segment.' }),
  ),
};

export const contactParams = Type.Object({
  id: Type.String({ description: "The contact's ID or its URL-encoded address." }),
});

nameSchemas({
  Contact: contact,
  ContactList: contactList,
  ContactUpsert: contactUpsert,
  ContactConsent: contactConsent,
  ContactUpdate: contactPatch,
});

nameEnums({ ConsentEvent: ['requested', 'joined', 'confirmed'] });
