// Areas of Postmark's API that are not served, with what to use instead.
import type { NotServed } from '../route.js';

const DOMAINS = 'Use senders (/v1/senders).';
const LOCATIONS = 'Mailkeel does not record clients, platforms, reading times or locations.';
const STREAMS = 'The streams are outbound (transactional) and broadcast (marketing), and cannot be changed.';

export const NOT_SERVED: NotServed = {
  '/data-removals': 'Use the erasure of a contact (POST /v1/contacts/{id}/erase).',
  '/domains': DOMAINS,
  '/email/bulk': 'Use POST /email/batch, or campaigns (/v1/campaigns).',
  '/message-streams': STREAMS,
  '/messages/inbound': 'Use received messages (/v1/messages?status=received).',
  '/messages/outbound/clicks':
    'Use the clicks of each message (/messages/outbound/clicks/{messageId}), or /v1/events.',
  '/messages/outbound/opens':
    'Use the opens of each message (/messages/outbound/opens/{messageId}), or /v1/events.',
  '/senders': DOMAINS,
  '/server': 'Settings of the organization are in /v1/organization.',
  '/servers': 'Use workspaces (/v1/workspaces).',
  '/stats/outbound/clicks/browserFamilies': LOCATIONS,
  '/stats/outbound/clicks/location': LOCATIONS,
  '/stats/outbound/clicks/platforms': LOCATIONS,
  '/stats/outbound/opens/emailClients': LOCATIONS,
  '/stats/outbound/opens/platforms': LOCATIONS,
  '/stats/outbound/opens/readTimes': LOCATIONS,
  '/stats/outbound/tracked': 'Use statistics (/v1/analytics).',
  '/templates/push': 'Save each template with POST /templates.',
  '/triggers': 'Every address of a domain with inbound mail receives, and spam is not filtered.',
};
