// The document with everything about one person.
import { Type, type Static } from 'typebox';
import { campaignOverride } from '../campaigns/recipient.schema.js';
import { contact, contactConsent } from '../contacts/contact.schema.js';
import { RECIPIENT_STATES } from '../contract/names.js';
import { emailText, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';
import { attempt } from '../messages/attempt.schema.js';
import { auditTrail, message, messageContent } from '../messages/message.schema.js';
import { draft } from '../messages/drafts/draft.schema.js';
import { threadSummary } from '../messages/threads/thread.schema.js';
import { enrollment } from '../sequences/sequence.schema.js';
import { suppression } from '../suppressions/suppression.schema.js';

const text = Type.String();
const named = { list_id: text, name: text };

const dataContact = Type.Object({
  ...contact.properties,
  consents: Type.Array(contactConsent),
  lists: Type.Array(Type.Object({ ...named, state: oneOf(['subscribed', 'pending']), joined_at: timestamp })),
  segments: Type.Array(Type.Object(named), { description: 'Segments that the contact currently matches.' }),
});

const dataMessage = Type.Object({
  ...message.properties,
  content: messageContent,
  engagement: nullable(
    Type.Object({
      opens: Type.Integer(),
      machine_opens: Type.Integer(),
      clicks: Type.Integer(),
      machine_clicks: Type.Integer(),
    }),
  ),
  trail: auditTrail.properties.trail,
  attempts: Type.Array(attempt),
});

const sections = {
  contacts: Type.Array(dataContact, { description: 'Contacts with the address.' }),
  list_unsubscribes: Type.Array(Type.Object({ ...named, unsubscribed_at: timestamp }), {
    description: 'Lists that the person left.',
  }),
  suppressions: Type.Array(suppression),
  threads: Type.Array(threadSummary),
  drafts: Type.Array(draft, {
    description: 'Open drafts in these threads, and those with the address in a field or file.',
  }),
  messages: Type.Array(dataMessage, {
    description: 'Messages to the person, then messages from the person.',
  }),
  enrollments: Type.Array(enrollment),
  campaign_recipients: Type.Array(
    Type.Object({
      campaign_id: text,
      email: emailText,
      state: oneOf(RECIPIENT_STATES),
      variant: nullable(text),
      reason: nullable(text),
    }),
  ),
  campaign_overrides: Type.Array(campaignOverride),
  inbound_messages: Type.Array(
    Type.Object({
      received_at: timestamp,
      mail_from: text,
      rcpt_to: text,
      kind: text,
      state: text,
      outcome: nullable(text),
    }),
    {
      description:
        'Received mail that the server keeps: mail from the person, and reports about mail to them.',
    },
  ),
  account_import_reports: Type.Array(
    Type.Object({ import_id: text, kind: text, external_id: text, name: text, problem: text }),
    { description: 'Objects about the person that an account import left out.' },
  ),
  inbox_forwards: Type.Array(
    Type.Object({
      inbox_id: text,
      address: emailText,
      confirmed_at: nullable(timestamp),
      stopped_at: nullable(timestamp),
      created_at: timestamp,
    }),
    { description: 'Inboxes that forward to the address, or have asked to.' },
  ),
};

export type PersonSection = keyof typeof sections;
/** An item of a section. */
export type PersonItem<Section extends PersonSection> = Static<(typeof sections)[Section]['items']>;

/** The sections in the order of the document. */
export const PERSON_SECTIONS = [
  'contacts',
  'list_unsubscribes',
  'suppressions',
  'threads',
  'drafts',
  'messages',
  'enrollments',
  'campaign_recipients',
  'campaign_overrides',
  'inbound_messages',
  'account_import_reports',
  'inbox_forwards',
] as const satisfies readonly PersonSection[];

export const contactData = Type.Object({
  object: Type.Literal('contact_data'),
  email: emailText,
  sandbox: Type.Boolean(),
  created_at: timestamp,
  ...sections,
});

nameSchemas({
  ContactData: contactData,
  ContactDataContact: dataContact,
  ContactDataMessage: dataMessage,
});
