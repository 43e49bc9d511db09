// Exports: contacts at once as a stream; contacts, messages, events and suppressions in the background, into a file.
import { Type, type Static } from 'typebox';
import { contactFilters } from '../contacts/contact.schema.js';
import { FEED_EVENTS } from '../events/event.schema.js';
import { TRANSFER_FORMATS, transferFields } from './import.schema.js';
import { createdFields, partOf, someOf } from '../contract/lists.js';
import { CONTACT_STATUSES, MESSAGE_STATUSES, MESSAGE_TYPES } from '../contract/names.js';
import { closed, MAX_TAG, nameEnums, nameSchemas, nullable, oneOf } from '../contract/schema.js';
import { SUPPRESSION_REASONS } from '../suppressions/suppression.schema.js';

export const EXPORT_KINDS = ['contacts', 'messages', 'events', 'suppressions'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

const format = Type.Optional(oneOf(TRANSFER_FORMATS, { default: 'csv' }));
const ofContacts = {
  list_id: Type.Optional(
    Type.String({ maxLength: 100, description: "Only this list's subscribed members." }),
  ),
  tag: contactFilters.tag,
};

export const exportQuery = closed({
  format,
  ...ofContacts,
  status: Type.Optional(oneOf(CONTACT_STATUSES)),
});
export type ExportQuery = Static<typeof exportQuery>;

const common = { format, sub_tenant_id: Type.Optional(nullable(Type.String())) };
const someTexts = (maxLength: number, description: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength }), {
      minItems: 1,
      maxItems: 20,
      description: `${description} Any of these.`,
    }),
  );
const anId = Type.Optional(Type.String({ maxLength: 100 }));

const contactExportCreate = closed({
  kind: Type.Optional(Type.Literal('contacts', { description: 'May be left out.' })),
  ...common,
  ...ofContacts,
  q: contactFilters.q,
  status: Type.Optional(
    Type.Union(
      [oneOf(CONTACT_STATUSES), Type.Array(oneOf(CONTACT_STATUSES), { minItems: 1, maxItems: 20 })],
      {
        description: 'One, or any of several.',
      },
    ),
  ),
  ...createdFields,
});

const messageExportCreate = closed({
  kind: Type.Literal('messages'),
  ...common,
  status: someOf(MESSAGE_STATUSES),
  to: someTexts(320, "Recipients' addresses."),
  from: someTexts(320, "Senders' addresses."),
  subject: partOf('the subject'),
  type: someOf(MESSAGE_TYPES),
  tag: someTexts(MAX_TAG, 'Tags.'),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
      maxProperties: 5,
      description: 'Keys of the first level and their values as text. All of several must hold.',
    }),
  ),
  thread_id: anId,
  campaign_id: anId,
  sequence_id: anId,
  in_doubt: Type.Optional(Type.Boolean()),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Found in the recipient or the subject.' })),
  ...createdFields,
});

const eventExportCreate = closed({
  kind: Type.Literal('events'),
  ...common,
  events: someOf(FEED_EVENTS),
  after: Type.Optional(Type.String({ maxLength: 64, description: 'Id of an event: only later events.' })),
});

const suppressionExportCreate = closed({
  kind: Type.Literal('suppressions'),
  ...common,
  reason: someOf(SUPPRESSION_REASONS),
  q: Type.Optional(Type.String({ maxLength: 254, description: 'Part of the address.' })),
  ...createdFields,
});

/** One of them is meant by `kind`; the filters are those of the list of that noun. */
export const exportCreates = {
  contacts: contactExportCreate,
  messages: messageExportCreate,
  events: eventExportCreate,
  suppressions: suppressionExportCreate,
};
export const exportCreate = Type.Union(
  [contactExportCreate, messageExportCreate, eventExportCreate, suppressionExportCreate],
  {
    examples: [
      { kind: 'contacts', format: 'csv', tag: 'vip' },
      { kind: 'messages', format: 'csv', status: ['bounced', 'failed'], created_after: '2026-01-01' },
    ],
  },
);
export type ExportCreate = Static<typeof exportCreate>;

export const exportObject = Type.Object({
  id: Type.String(),
  object: Type.Literal('export'),
  kind: oneOf(EXPORT_KINDS),
  ...transferFields,
  tag: nullable(Type.String({ description: 'Of an export of contacts.' })),
  contact_status: nullable(Type.String({ description: 'The one `status` of contacts that was asked for.' })),
  filters: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The filters of the request.',
  }),
  size_bytes: Type.Integer({ description: 'Of the file, as far as it is written.' }),
});

nameSchemas({
  ExportCreate: exportCreate,
  ContactExportCreate: contactExportCreate,
  MessageExportCreate: messageExportCreate,
  EventExportCreate: eventExportCreate,
  SuppressionExportCreate: suppressionExportCreate,
  Export: exportObject,
});

nameEnums({ ExportKind: EXPORT_KINDS });
