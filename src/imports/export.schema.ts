// Wire shapes of exports: contacts as an immediate stream, and contacts, messages, events, suppressions and whole workspaces in a
// file that is created in the background.
import { Type, type Static } from 'typebox';
import { contactFilters } from '../contacts/contact.schema.js';
import { FEED_EVENTS } from '../events/event.schema.js';
import { TRANSFER_FORMATS, transferFields } from './import.schema.js';
import { createdFields, partOf, someOf } from '../contract/lists.js';
import { CONTACT_STATUSES, MESSAGE_STATUSES, MESSAGE_TYPES } from '../contract/names.js';
import { closed, MAX_TAG, nameEnums, nameSchemas, nullable, oneOf } from '../contract/schema.js';
import { SUPPRESSION_REASONS } from '../suppressions/suppression.schema.js';

export const EXPORT_KINDS = ['contacts', 'messages', 'events', 'suppressions', 'workspace'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

const format = Type.Optional(oneOf(TRANSFER_FORMATS, { default: 'csv' }));
const ofContacts = {
  list_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Return only subscribed members of this list.' }),
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
      description: `${description} Matches any of these values.`,
    }),
  );
const anId = Type.Optional(Type.String({ maxLength: 100 }));

const contactExportCreate = closed({
  kind: Type.Optional(
    Type.Literal('contacts', { description: 'The kind of export. Optional for contacts.' }),
  ),
  ...common,
  ...ofContacts,
  q: contactFilters.q,
  status: Type.Optional(
    Type.Union(
      [oneOf(CONTACT_STATUSES), Type.Array(oneOf(CONTACT_STATUSES), { minItems: 1, maxItems: 20 })],
      {
        description: 'One status, or a list that matches any of several.',
      },
    ),
  ),
  ...createdFields,
});

const messageExportCreate = closed({
  kind: Type.Literal('messages'),
  ...common,
  status: someOf(MESSAGE_STATUSES),
  to: someTexts(320, 'Recipient addresses.'),
  from: someTexts(320, 'Sender addresses.'),
  subject: partOf('the subject'),
  type: someOf(MESSAGE_TYPES),
  tag: someTexts(MAX_TAG, 'Tags.'),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
      maxProperties: 5,
      description: 'Metadata to match: top-level keys with their values as text. All conditions must match.',
    }),
  ),
  thread_id: anId,
  campaign_id: anId,
  sequence_id: anId,
  in_doubt: Type.Optional(Type.Boolean()),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Text to find in the recipient or subject.' })),
  ...createdFields,
});

const eventExportCreate = closed({
  kind: Type.Literal('events'),
  ...common,
  events: someOf(FEED_EVENTS),
  after: Type.Optional(
    Type.String({ maxLength: 64, description: 'The ID of an event. Only later events are exported.' }),
  ),
});

const suppressionExportCreate = closed({
  kind: Type.Literal('suppressions'),
  ...common,
  reason: someOf(SUPPRESSION_REASONS),
  q: Type.Optional(Type.String({ maxLength: 254, description: 'Part of the address.' })),
  ...createdFields,
});

const workspaceExportCreate = closed({
  kind: Type.Literal('workspace'),
  format: Type.Optional(oneOf(['ndjson'], { default: 'ndjson' })),
  sub_tenant_id: common.sub_tenant_id,
});

/** `kind` selects one of them. Its filters are those of the list operation for the same objects. */
export const exportCreates = {
  contacts: contactExportCreate,
  messages: messageExportCreate,
  events: eventExportCreate,
  suppressions: suppressionExportCreate,
  workspace: workspaceExportCreate,
};
export const exportCreate = Type.Union(
  [
    contactExportCreate,
    messageExportCreate,
    eventExportCreate,
    suppressionExportCreate,
    workspaceExportCreate,
  ],
  {
    examples: [
      { kind: 'contacts', format: 'csv', tag: 'vip' },
      { kind: 'messages', format: 'csv', status: ['bounced', 'failed'], created_after: '2026-01-01' },
      { kind: 'workspace' },
    ],
  },
);
export type ExportCreate = Static<typeof exportCreate>;

export const exportObject = Type.Object({
  id: Type.String(),
  object: Type.Literal('export'),
  kind: oneOf(EXPORT_KINDS),
  ...transferFields,
  tag: nullable(Type.String({ description: 'The tag filter of a contact export.' })),
  contact_status: nullable(
    Type.String({ description: 'The status filter of a contact export, if it has a single value.' }),
  ),
  filters: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The filters of the request.',
  }),
  size_bytes: Type.Integer({ description: 'Bytes written to the file so far.' }),
});

nameSchemas({
  ExportCreate: exportCreate,
  ContactExportCreate: contactExportCreate,
  MessageExportCreate: messageExportCreate,
  EventExportCreate: eventExportCreate,
  SuppressionExportCreate: suppressionExportCreate,
  WorkspaceExportCreate: workspaceExportCreate,
  Export: exportObject,
});

nameEnums({ ExportKind: EXPORT_KINDS });
