// Rows of webhook endpoints as /v1 shows them.
import { WEBHOOK_EVENTS } from '../../../contract/names.js';
import type { WebhookEndpointWire } from '../../../contract/webhook-endpoint.js';
import type { WebhookEndpoint } from '../../../store/webhooks.js';
import { iso, isoOrNull } from './time.js';

export function presentWebhookEndpoint(row: WebhookEndpoint, now: number): WebhookEndpointWire {
  const until = row.previous_secret_until;
  return {
    id: row.id,
    object: 'webhook_endpoint',
    url: row.url,
    events:
      row.events === null ? [...WEBHOOK_EVENTS] : (JSON.parse(row.events) as WebhookEndpointWire['events']),
    description: row.description,
    format: row.format,
    payload: row.payload,
    sub_tenant_id: row.sub_tenant_id,
    status: row.status,
    disabled_reason: row.disabled_reason,
    consecutive_failures: row.consecutive_failures,
    previous_secret_until: isoOrNull(until !== null && until > now ? until : null),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}
