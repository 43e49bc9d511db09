// Rows of webhook endpoints and deliveries as /v1 shows them.
import { eventId } from '../../../contract/event-id.js';
import { WEBHOOK_EVENTS } from '../../../contract/names.js';
import type { WebhookDeliveryWire, WebhookEndpointWire } from '../../../contract/webhook-endpoint.js';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../../../store/webhooks.js';
import { iso, isoOrNull } from './time.js';

export function presentWebhookEndpoint(row: WebhookEndpoint): WebhookEndpointWire {
  return {
    id: row.id,
    object: 'webhook_endpoint',
    url: row.url,
    events:
      row.events === null ? [...WEBHOOK_EVENTS] : (JSON.parse(row.events) as WebhookEndpointWire['events']),
    description: row.description,
    sub_tenant_id: row.sub_tenant_id,
    status: row.status,
    disabled_reason: row.disabled_reason,
    consecutive_failures: row.consecutive_failures,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

/** `attempts` may hold those of other deliveries too. */
export function presentWebhookDelivery(
  row: WebhookDelivery,
  endpoint: Pick<WebhookEndpoint, 'status'>,
  attempts: readonly WebhookAttempt[],
): WebhookDeliveryWire {
  const payload = JSON.parse(row.payload) as WebhookDeliveryWire['payload'];
  const isWaiting = row.status === 'pending' && endpoint.status === 'enabled';
  return {
    id: row.public_id,
    object: 'webhook_delivery',
    endpoint_id: row.endpoint_id,
    event: row.event,
    event_id:
      row.event_position === null
        ? null
        : eventId({ occurredAt: Date.parse(payload.occurred_at), position: row.event_position }),
    status: row.status,
    attempts: attempts
      .filter((attempt) => attempt.delivery_id === row.id)
      .map(({ number, at, duration_ms, response_status, response_body, error }) => ({
        number,
        at: iso(at),
        duration_ms,
        response_status,
        response_body,
        error,
      })),
    next_attempt_at: isWaiting ? isoOrNull(row.due_at) : null,
    payload,
    created_at: iso(row.created_at),
  };
}
