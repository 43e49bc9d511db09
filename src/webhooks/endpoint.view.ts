// Rows of webhook endpoints as /v1 shows them.
import { WEBHOOK_EVENTS } from '../contract/names.js';
import type { WebhookEndpointWire } from './endpoint.schema.js';
import type { VendorFormats } from './format.rules.js';
import type { WebhookEndpoint } from './webhooks.store.js';
import { iso, isoOrNull } from '../contract/time.js';

export interface EndpointSurroundings {
  /** Formats of others tell of some events only. */
  formats: VendorFormats;
  now: number;
}

export function presentWebhookEndpoint(
  row: WebhookEndpoint,
  { formats, now }: EndpointSurroundings,
): WebhookEndpointWire {
  const supported = formats[row.format]?.events ?? WEBHOOK_EVENTS;
  const usual = WEBHOOK_EVENTS.filter((name) => supported.includes(name));
  const until = row.previous_secret_until;
  return {
    id: row.id,
    object: 'webhook_endpoint',
    url: row.url,
    events: row.events === null ? usual : (JSON.parse(row.events) as WebhookEndpointWire['events']),
    description: row.description,
    format: row.format,
    payload: row.payload,
    public_key: row.public_key,
    sub_tenant_id: row.sub_tenant_id,
    status: row.status,
    disabled_reason: row.disabled_reason,
    consecutive_failures: row.consecutive_failures,
    previous_secret_until: isoOrNull(until !== null && until > now ? until : null),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}
