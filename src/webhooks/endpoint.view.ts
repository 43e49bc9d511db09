// A webhook endpoint as /v1 shows it.
import { wireOf } from '../contract/codec.js';
import { isoOrNull } from '../contract/time.js';
import { maskedUrl } from './endpoint-secret.js';
import { webhookEndpoint } from './endpoint.schema.js';
import { receivedEvents, type VendorFormats } from './format.rules.js';
import type { WebhookEndpoint } from './webhooks.tables.js';

interface EndpointContext {
  /** A vendor's format has a form for some events only. */
  formats: VendorFormats;
  now: number;
}

export const presentWebhookEndpoint = wireOf(webhookEndpoint).from<WebhookEndpoint, EndpointContext>({
  url: maskedUrl,
  events: (row, { formats }) => receivedEvents(row, formats),
  previous_secret_until: ({ previous_secret_until: until }, { now }) =>
    isoOrNull(until !== null && until > now ? until : null),
});
