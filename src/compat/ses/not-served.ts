// Areas of Amazon SES API v2 that are not served, with what to use instead.
import type { NotServed } from '../route.js';

const ANALYTICS = 'Use statistics (/v1/analytics).';
const CUSTOM_VERIFICATION = 'Addresses are verified with a mail of Mailkeel (/v1/senders).';
const DKIM = 'DKIM keys are generated and rotated automatically (/v1/senders/{id}).';
const IPS = "Mail is sent from the server's own sources (/v1/sources).";
const EXPORTS = 'Use exports (/v1/exports).';
const TENANTS = 'Use sub-tenants (/v1/sub-tenants).';

export const NOT_SERVED: NotServed = {
  '/v2/email/account': 'Use the settings of the organization (/v1/organization).',
  '/v2/email/configuration-sets':
    'ConfigurationSetName tags a message and needs no set. For events, create a webhook endpoint with the format ses (/v1/webhook-endpoints).',
  '/v2/email/contact-lists': 'Use lists and their contacts (/v1/lists).',
  '/v2/email/custom-verification-email-templates': CUSTOM_VERIFICATION,
  '/v2/email/dedicated-ip-pools': IPS,
  '/v2/email/dedicated-ips': IPS,
  '/v2/email/deliverability-dashboard': ANALYTICS,
  '/v2/email/email-address-insights':
    'Addresses are checked when mail is sent. Mailkeel does not probe mailboxes.',
  '/v2/email/export-jobs': EXPORTS,
  '/v2/email/identities/:name/configuration-set': 'Name the configuration set in each message.',
  '/v2/email/identities/:name/dkim': DKIM,
  '/v2/email/identities/:name/feedback':
    'Bounces are not forwarded by mail. Create a webhook endpoint (/v1/webhook-endpoints).',
  '/v2/email/identities/:name/mail-from': 'The return path is set by DNS records (/v1/senders/{id}).',
  '/v2/email/identities/:name/policies': 'Access is a matter of API keys (/v1/api-keys).',
  '/v2/email/import-jobs': 'Use imports (/v1/suppressions/import, /v1/imports).',
  '/v2/email/insights': 'Use the audit trail (/v1/messages/{id}/audit).',
  '/v2/email/list-export-jobs': EXPORTS,
  '/v2/email/metrics': ANALYTICS,
  '/v2/email/multi-region-endpoints': 'A server has one endpoint.',
  '/v2/email/outbound-custom-verification-emails': CUSTOM_VERIFICATION,
  '/v2/email/reputation': 'Use the delivery limits of sub-tenants (/v1/sub-tenants).',
  '/v2/email/resources': TENANTS,
  '/v2/email/tags': 'Tag messages (EmailTags).',
  '/v2/email/tenants': TENANTS,
  '/v2/email/vdm': ANALYTICS,
};
