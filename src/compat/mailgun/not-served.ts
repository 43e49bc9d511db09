// Areas of Mailgun's API that are not served, with what to use instead.
import type { NotServed } from '../route.js';

const ANALYTICS = 'Use statistics (/v1/analytics).';
const BOUNCES = 'Use bounces (/v1/bounces/summary).';
const DKIM = 'DKIM keys are generated and rotated automatically (/v1/senders/{id}).';
const IPS = "Mail is sent from the server's own sources (/v1/sources).";
const KEYS = 'Use API keys (/v1/api-keys).';
const LISTS = 'Use lists and their contacts (/v1/lists).';
const PREVIEWS = 'Mailkeel does not render previews in other mail clients.';
const QUOTA = 'Use the limits of sub-tenants (/v1/sub-tenants).';
const ROUTES = 'Received mail is reported by webhooks (message.received) and in /v1/threads.';
const TENANTS = 'Use sub-tenants (/v1/sub-tenants).';
const TRACKING = 'Use track_opens and track_clicks of the organization (/v1/organization).';
const ALLOW_LIST = 'Remove the suppression of an address instead (DELETE /v3/{domain}/bounces/{address}).';

export const NOT_SERVED: NotServed = {
  '/v1/analytics': ANALYTICS,
  '/v1/bounce-classification': BOUNCES,
  '/v1/dkim': DKIM,
  '/v1/dkim_management': DKIM,
  '/v1/dynamic_pools': IPS,
  '/v1/keys': KEYS,
  '/v1/preview': PREVIEWS,
  '/v1/thresholds': 'Use alerts (/v1/auth/alerts).',
  '/v2/bounce-classification': BOUNCES,
  '/v2/ip_whitelist': 'Limit an API key to IP addresses (/v1/api-keys).',
  '/v2/x509': 'Certificates of tracking hosts are fetched automatically.',
  '/v3/:domain/aggregates': ANALYTICS,
  '/v3/:domain/bounces': 'Remove addresses one by one, and import them with POST /v1/suppressions/import.',
  '/v3/:domain/complaints': 'Remove addresses one by one, and import them with POST /v1/suppressions/import.',
  '/v3/:domain/envelopes': 'Cancel messages (POST /v1/messages/{id}/cancel).',
  '/v3/:domain/events': 'Use events (/v1/events), or a webhook endpoint with the format mailgun.',
  '/v3/:domain/stats': ANALYTICS,
  '/v3/:domain/tag': ANALYTICS,
  '/v3/:domain/tags': ANALYTICS,
  '/v3/:domain/templates': 'Delete templates one by one. A template has one version (/v1/templates).',
  '/v3/:domain/unsubscribes':
    'Remove addresses one by one, and import them with POST /v1/suppressions/import.',
  '/v3/:domain/whitelists': ALLOW_LIST,
  '/v3/domains/:domain/credentials': 'SMTP uses API keys as passwords (/v1/api-keys).',
  '/v3/domains/:domain/dkim_authority': DKIM,
  '/v3/domains/:domain/dkim_selector': DKIM,
  '/v3/domains/:domain/dynamic_pools': IPS,
  '/v3/domains/:domain/ips': IPS,
  '/v3/domains/:domain/limits': 'A message may have 50 tags.',
  '/v3/domains/:domain/messages': 'Use messages (/v1/messages/{id}/content, /raw, /resend).',
  '/v3/domains/:domain/pool': IPS,
  '/v3/domains/:domain/sending_queues': 'Use the queue (/v1/queue).',
  '/v3/domains/:domain/tag': ANALYTICS,
  '/v3/domains/:domain/tracking': TRACKING,
  '/v3/domains/all': IPS,
  '/v3/domains/dynamic_pools': IPS,
  '/v3/dynamic_pools': IPS,
  '/v3/ip_pools': IPS,
  '/v3/ip_warmups': 'Use the warm-up of a source (/v1/sources).',
  '/v3/ips': IPS,
  '/v3/lists': LISTS,
  '/v3/routes': ROUTES,
  '/v3/stats': ANALYTICS,
  '/v4/address': 'Addresses are checked when mail is sent. Mailkeel does not probe mailboxes.',
  '/v4/domains/:domain':
    'Settings of a domain are in /v1/senders/{id}, and the status is changed by verification.',
  '/v4/domains/:domain/keys': DKIM,
  '/v4/domains/:domain/webhooks':
    'Use /v3/domains/{domain}/webhooks, or webhook endpoints (/v1/webhook-endpoints).',
  '/v4/inbox': PREVIEWS,
  '/v5/accounts': QUOTA,
  '/v5/accounts/http_signing_key': 'Each webhook endpoint has its own secret (/v1/webhook-endpoints).',
  '/v5/accounts/subaccounts': TENANTS,
  '/v5/sandbox': 'Test keys send to the sandbox.',
  '/v5/users': 'Use the members of the organization (/v1/members).',
};
