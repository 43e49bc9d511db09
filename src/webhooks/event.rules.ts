// Decides which events an endpoint receives, and builds the body of a webhook.
import { EXTRA_WEBHOOK_EVENTS, type WebhookEvent } from '../contract/names.js';

const EXTRA: readonly WebhookEvent[] = EXTRA_WEBHOOK_EVENTS;

/**
 * Whether an endpoint is sent an event. `events` null is the default set, which the extra events are not in. `inboxIds` limits the
 * event of received mail only.
 */
export function endpointWants(
  endpoint: {
    events: readonly WebhookEvent[] | null;
    inboxIds: readonly string[] | null;
    subTenantId: string | null;
    createdAt: number;
  },
  event: { name: WebhookEvent; inboxId: string | null; subTenantId: string | null; occurredAt: number },
): boolean {
  if (event.occurredAt < endpoint.createdAt) return false;
  if (endpoint.subTenantId !== null && endpoint.subTenantId !== event.subTenantId) return false;
  if (endpoint.inboxIds !== null && event.name === 'message.received') {
    if (event.inboxId === null || !endpoint.inboxIds.includes(event.inboxId)) return false;
  }
  return endpoint.events === null ? !EXTRA.includes(event.name) : endpoint.events.includes(event.name);
}

/** Returns the raw body of a webhook as it would be if the record had been deleted. */
export function withoutRecord(payload: string): string {
  const body = JSON.parse(payload) as { data: { object?: unknown } }; // made by webhookPayload
  return JSON.stringify({ ...body, data: { ...body.data, object: null } });
}

/**
 * Returns the raw body of a webhook. `subjectId` is the public id of the record that it is about. `record` is the record for a full
 * payload: null if it was deleted, absent for a thin payload.
 */
export function webhookPayload(event: {
  name: WebhookEvent;
  subjectId: string;
  occurredAt: number;
  record?: object | null;
}): string {
  const occurred_at = new Date(event.occurredAt).toISOString();
  return JSON.stringify({
    event: event.name,
    occurred_at,
    data: {
      id: event.subjectId,
      event: event.name,
      occurred_at,
      ...(event.record === undefined ? {} : { object: event.record }),
    },
  });
}
