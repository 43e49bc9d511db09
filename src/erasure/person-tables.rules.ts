// Every table that holds data about a person, with what an erasure does to it and where the export shows it. A test compares this
// list with all tables and with the places where a person's address is found.

/** Sections of the export of a person, in the order of the file. */
export const PERSON_SECTIONS = [
  'contacts',
  'list_unsubscribes',
  'suppressions',
  'threads',
  'messages',
  'enrollments',
  'campaign_recipients',
  'campaign_overrides',
  'inbound_messages',
] as const;
export type PersonSection = (typeof PERSON_SECTIONS)[number];

interface PersonTable {
  /** `kept`: suppressions, so that no one writes to the person again, and counts, which name no one. */
  erasure: 'deleted' | 'redacted' | 'kept';
  /** The section that shows its rows, or why none does. */
  shown: PersonSection | { nowhere: string };
}

const INDEX = { nowhere: 'An index of values that the file shows elsewhere.' };
const COPY = { nowhere: 'A copy of a message or contact that the file shows.' };

export const PERSON_TABLES: Readonly<Record<string, PersonTable>> = {
  contacts: { erasure: 'deleted', shown: 'contacts' },
  contact_tags: { erasure: 'deleted', shown: INDEX },
  consents: { erasure: 'deleted', shown: 'contacts' },
  list_members: { erasure: 'deleted', shown: 'contacts' },
  list_unsubscribes: { erasure: 'deleted', shown: 'list_unsubscribes' },
  suppressions: { erasure: 'kept', shown: 'suppressions' },
  threads: { erasure: 'redacted', shown: 'threads' },
  messages: { erasure: 'redacted', shown: 'messages' },
  contents: { erasure: 'redacted', shown: 'messages' },
  attachments: { erasure: 'deleted', shown: 'messages' },
  blobs: { erasure: 'deleted', shown: 'messages' },
  raws: { erasure: 'deleted', shown: COPY },
  message_tags: { erasure: 'deleted', shown: INDEX },
  idempotency_keys: { erasure: 'deleted', shown: INDEX },
  foreign_message_ids: { erasure: 'deleted', shown: INDEX },
  received_messages: { erasure: 'redacted', shown: 'messages' },
  events: { erasure: 'redacted', shown: 'messages' },
  attempts: { erasure: 'deleted', shown: 'messages' },
  delivery_reports: { erasure: 'deleted', shown: COPY },
  engagement: { erasure: 'kept', shown: 'messages' },
  queue: { erasure: 'deleted', shown: INDEX },
  address_rechecks: { erasure: 'deleted', shown: INDEX },
  source_links: {
    erasure: 'deleted',
    shown: { nowhere: 'Clicks on a link of a campaign, of all recipients.' },
  },
  enrollments: { erasure: 'deleted', shown: 'enrollments' },
  enrollment_messages: { erasure: 'deleted', shown: INDEX },
  campaign_recipients: { erasure: 'redacted', shown: 'campaign_recipients' },
  campaign_overrides: { erasure: 'deleted', shown: 'campaign_overrides' },
  inbound_messages: { erasure: 'deleted', shown: 'inbound_messages' },
  webhook_deliveries: { erasure: 'redacted', shown: COPY },
  webhook_attempts: { erasure: 'redacted', shown: COPY },
};
