// Lists every table with data about a person, the effect of an erasure on it, and its place in the export. A test compares this
// list with all tables and with the places where a person's address is found.
import type { PersonSection } from '../../src/erasure/contact-data.schema.js';

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
  drafts: { erasure: 'deleted', shown: 'drafts' },
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
  approvals: { erasure: 'redacted', shown: COPY },
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
  inbox_forwards: { erasure: 'deleted', shown: 'inbox_forwards' },
  account_import_reports: { erasure: 'deleted', shown: 'account_import_reports' },
  webhook_deliveries: { erasure: 'redacted', shown: COPY },
  webhook_attempts: { erasure: 'redacted', shown: COPY },
};

/** Tables that the erasure reads only to find the workspace of a row. */
export const SCOPES = ['campaigns', 'senders', 'sub_tenants', 'webhook_endpoints'];

/** Tables that have no data about recipients and senders of mail. Add a new table here or to `PERSON_TABLES`. */
export const WITHOUT_PERSONS = [
  ...['organizations', 'workspaces', 'environments', 'usage', 'marks', 'api_keys', 'api_key_days'],
  ...['audit_entries', 'brandings', 'logos', 'request_log', 'idempotent_requests'],
  // People with an account, who are not contacts.
  ...['users', 'members', 'invitations', 'sessions', 'password_resets', 'device_sign_ins', 'known_places'],
  ...['oauth_clients', 'oauth_codes', 'oauth_tokens'],
  ...['unsolicited_mail', 'alert_settings', 'alert_incidents', 'alert_notices'],
  ...['stat_days', 'stat_hours', 'stat_groups', 'stat_bounces', 'counted_tags', 'domain_providers'],
  ...['source_stats', 'source_hours', 'tenant_hours', 'backups', 'restores', 'restored_chains'],
  ...['campaigns', 'deleted_messages', 'contact_counts', 'audience_versions', 'contact_lists', 'list_tags'],
  ...['list_days', 'senders', 'dkim_keys', 'event_segments', 'archive_marks', 'chains', 'consumers'],
  ...['transfers', 'received_reports', 'dmarc_sums', 'tls_sums', 'smtp_sessions', 'queues', 'nodes'],
  ...['node_leases', 'stored_files', 'growth_samples', 'table_sizes', 'retention_cursors', 'retention_left'],
  'route_shares',
  ...['tls_reports', 'overrides', 'destination_pauses', 'suspended_sources', 'operator_routes'],
  ...['traffic_state', 'mta_sts_policies', 'tls_results', 'sequences', 'share_links', 'inboxes', 'templates'],
  ...['template_versions', 'saved_blocks', 'sub_tenants', 'tenant_reputations', 'webhook_endpoints'],
  ...['webhook_replays', 'account_imports', 'account_import_objects'],
];
