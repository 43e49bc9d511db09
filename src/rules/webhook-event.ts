// From the trail to the wire: what an event is called outside, which endpoints get it, and the body they get.
import { EXTRA_WEBHOOK_EVENTS } from '../contract/names.js';
import type { FeedEventName } from '../contract/event.js';
import type { TrailEvent, WebhookEvent } from '../contract/names.js';

const WIRE_NAMES = {
  queued: null,
  sending: null,
  sent: 'message.sent',
  deferred: 'message.deferred',
  delivered: 'message.delivered',
  opened: 'message.opened',
  clicked: 'message.clicked',
  bounced: 'message.bounced',
  complained: 'message.complained',
  failed: 'message.failed',
  suppressed: 'message.suppressed',
  canceled: null,
  unsubscribed: 'message.unsubscribed',
  received: 'message.received',
  // An answer that no person wrote is no reply.
  auto_replied: null,
  rescheduled: null,
  tenant_warned: 'tenant.warned',
  tenant_throttled: 'tenant.throttled',
  tenant_paused: 'tenant.paused',
  tenant_recovered: 'tenant.recovered',
  tenant_dns_drifted: 'tenant.dns_drifted',
  tenant_dns_suspended: 'tenant.dns_suspended',
  tenant_dns_recovered: 'tenant.dns_recovered',
  dkim_rotation_started: 'tenant.dkim_rotation_started',
  dkim_rotation_completed: 'tenant.dkim_rotation_completed',
} as const satisfies Record<TrailEvent, WebhookEvent | null>;

/** The event feed also tells what no webhook does. */
const FEED_NAMES = {
  ...WIRE_NAMES,
  queued: 'message.queued',
  sending: 'message.sending',
  canceled: 'message.canceled',
  auto_replied: 'message.auto_replied',
  rescheduled: 'message.rescheduled',
} as const satisfies Record<TrailEvent, FeedEventName>;

const EXTRA: readonly WebhookEvent[] = EXTRA_WEBHOOK_EVENTS;

/** The event's name on the wire; null when webhooks do not tell it. */
export function webhookEventOf(event: TrailEvent): WebhookEvent | null {
  return WIRE_NAMES[event];
}

/** The event's name in `GET /v1/events`. */
export function feedEventOf(event: TrailEvent): FeedEventName {
  return FEED_NAMES[event];
}

/** The trail's names of events of the feed. */
export function trailEventsOf(names: readonly FeedEventName[]): TrailEvent[] {
  const wanted = new Set(names);
  const all = Object.keys(FEED_NAMES) as TrailEvent[]; // the keys of a record over exactly these
  return all.filter((event) => wanted.has(FEED_NAMES[event]));
}

/** Whether an endpoint is sent an event. `events` null is the default set, which the extra events are not in. */
export function endpointWants(
  endpoint: { events: readonly WebhookEvent[] | null; subTenantId: string | null; createdAt: number },
  event: { name: WebhookEvent; subTenantId: string | null; occurredAt: number },
): boolean {
  if (event.occurredAt < endpoint.createdAt) return false;
  if (endpoint.subTenantId !== null && endpoint.subTenantId !== event.subTenantId) return false;
  return endpoint.events === null ? !EXTRA.includes(event.name) : endpoint.events.includes(event.name);
}

/** The raw body of a webhook. `subjectId` is the public id of the message or sub-tenant. */
export function webhookPayload(event: { name: WebhookEvent; subjectId: string; occurredAt: number }): string {
  const occurred_at = new Date(event.occurredAt).toISOString();
  return JSON.stringify({
    event: event.name,
    occurred_at,
    data: { id: event.subjectId, event: event.name, occurred_at },
  });
}
