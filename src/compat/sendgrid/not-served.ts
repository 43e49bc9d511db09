// Areas of SendGrid's API that are not served, with what to use instead.
import type { NotServed } from '../route.js';

const CAMPAIGNS = 'Use campaigns (/v1/campaigns).';
const CONTACTS = 'Use /v3/marketing/contacts and /v3/marketing/lists.';
const FIELDS = 'Every key in the metadata of a contact is a field.';
const IPS = "Mail is sent from the server's own sources (/v1/sources).";
const LISTS = 'Use lists (/v1/lists), which recipients can leave one by one.';
const PEOPLE = 'Use the members of the organization (/v1/members).';
const SEGMENTS = 'Use lists with a filter (/v1/lists).';
const SENDERS = 'Use senders (/v1/senders).';
const STATS = 'Use statistics (/v1/analytics).';
const TENANTS = 'Use sub-tenants (/v1/sub-tenants).';
const TRACKING = 'Use track_opens and track_clicks of the organization (/v1/organization).';
const WEBHOOKS = 'Use webhook endpoints (/v1/webhook-endpoints) with the format sendgrid.';
const CLIENTS = 'Mailkeel does not record clients, devices or locations.';

export const NOT_SERVED: NotServed = {
  '/v3/access_settings': 'Limit an API key to IP addresses (/v1/api-keys).',
  '/v3/alerts': 'Use alerts (/v1/auth/alerts).',
  '/v3/api_keys/:id': 'Scopes of a key cannot be changed. Use PATCH for its name, or create another key.',
  '/v3/asm/groups': LISTS,
  '/v3/asm/suppressions': LISTS,
  '/v3/browsers': CLIENTS,
  '/v3/campaigns': CAMPAIGNS,
  '/v3/categories': 'Statistics can be filtered by tag (/v1/analytics).',
  '/v3/clients': CLIENTS,
  '/v3/contactdb': CONTACTS,
  '/v3/designs': 'Use templates (/v1/templates).',
  '/v3/devices': CLIENTS,
  '/v3/engagementquality': 'Use the bulk sender rules (/v1/bulk-rules).',
  '/v3/geo': CLIENTS,
  '/v3/ips': IPS,
  '/v3/logs': 'Use messages (/v1/messages).',
  '/v3/mail/batch/:batch': 'Use the tag batch_id:… of messages (/v1/messages).',
  '/v3/mail_settings': 'Mail settings belong to each message or to the organization (/v1/organization).',
  '/v3/mailbox_providers': STATS,
  '/v3/marketing/contacts/:id/identifiers': 'A contact has one address. Delete the contact.',
  '/v3/marketing/contacts/batch': 'Use GET /v3/marketing/contacts/{id} for each contact.',
  '/v3/marketing/contacts/exports': 'Use exports (/v1/exports).',
  '/v3/marketing/contacts/imports': 'Use imports (/v1/imports).',
  '/v3/marketing/contacts/search':
    'Use /v3/marketing/contacts/search/emails, or the filters of /v1/contacts.',
  '/v3/marketing/field_definitions': FIELDS,
  '/v3/marketing/integrations': WEBHOOKS,
  '/v3/marketing/segments': SEGMENTS,
  '/v3/marketing/senders': SENDERS,
  '/v3/marketing/singlesends': CAMPAIGNS,
  '/v3/marketing/stats': STATS,
  '/v3/marketing/test': 'Use POST /v1/templates/{id}/test.',
  '/v3/messages': 'Use messages (/v1/messages).',
  '/v3/partner_settings': WEBHOOKS,
  '/v3/partners': 'Use workspaces (/v1/workspaces) and sub-tenants (/v1/sub-tenants).',
  '/v3/recipients': 'Use the erasure of a contact (POST /v1/contacts/{id}/erase).',
  '/v3/send_ips': IPS,
  '/v3/senders': SENDERS,
  '/v3/sso': PEOPLE,
  '/v3/subusers': TENANTS,
  '/v3/suppression/blocks': 'Blocks do not suppress an address, so there is nothing to remove.',
  '/v3/suppression/bounces/classifications': 'Use bounces (/v1/bounces/summary).',
  '/v3/suppression/invalid_emails': 'Addresses that do not exist are bounces (/v3/suppression/bounces).',
  '/v3/teammates': PEOPLE,
  '/v3/templates/:id':
    'Use GET and POST /v3/templates to copy a template. The versions of a template are kept in /v1/templates.',
  '/v3/tracking_settings': TRACKING,
  '/v3/user': 'Use GET /v3/scopes for the key, and /v1/me for its organization.',
  '/v3/user/password': 'People change their password in the dashboard.',
  '/v3/user/scheduled_sends':
    'Cancel a batch with POST. Otherwise use the tag batch_id:… of messages (/v1/messages).',
  '/v3/user/settings': 'Use require_tls of each message.',
  '/v3/user/webhooks': WEBHOOKS,
  '/v3/validations': 'Addresses are checked when mail is sent. Mailkeel does not probe mailboxes.',
  '/v3/verified_senders': SENDERS,
  '/v3/whitelabel/dns': 'The records of a domain are in /v1/senders/{id}.',
  '/v3/whitelabel/domains/:id': SENDERS,
  '/v3/whitelabel/domains/:id/ips': IPS,
  '/v3/whitelabel/domains/:id/subuser': TENANTS,
  '/v3/whitelabel/domains/default': SENDERS,
  '/v3/whitelabel/domains/subuser': TENANTS,
  '/v3/whitelabel/ips': IPS,
  '/v3/whitelabel/links': 'The tracking host is a record of the domain (/v1/senders).',
};
