// Areas of Resend's API that are not served, with what to use instead.
import type { NotServed } from '../route.js';

export const NOT_SERVED: NotServed = {
  '/automations': 'Use sequences (/v1/sequences).',
  '/broadcasts': 'Use campaigns (/v1/campaigns).',
  '/contact-properties': 'Every key in the metadata of a contact is a property.',
  '/contacts/:id/segments': 'Use the contacts of each list (/v1/lists/{id}/contacts).',
  '/contacts/:id/topics': 'Use /contacts/{id}/segments.',
  '/contacts/imports': 'Use imports (/v1/imports).',
  '/domains/:id': 'Tracking is set for the organization (/v1/organization), and TLS for each message.',
  '/domains/:id/claim': 'Domains are verified by their DNS records. Use POST /domains/{id}/verify.',
  '/domains/claim': 'Domains are verified by their DNS records. Use POST /domains.',
  '/emails/:id/attachments': 'Use the attachments of a message (/v1/messages/{id}/attachments/{index}).',
  '/emails/:id/share': 'Use share links (/v1/share-links).',
  '/emails/metrics': 'Use statistics (/v1/analytics).',
  '/emails/receiving/:id/attachments':
    'Use the attachments of a message (/v1/messages/{id}/attachments/{index}).',
  '/events': 'Use sequences (/v1/sequences), or /v1/events for the events of messages.',
  '/logs': 'Use the request log (/v1/requests).',
  '/oauth': 'Applications use API keys (/v1/api-keys).',
  '/templates/:id/duplicate': 'Create a template with the same content.',
  '/topics': 'Use lists (/v1/lists). The ID of a list is a topic_id.',
};
