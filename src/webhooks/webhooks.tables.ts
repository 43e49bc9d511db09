// Tables of webhooks: endpoints, deliveries, the attempts to make them, and replays.
import type { WebhookEvent, WebhookFormat, WebhookPayload } from '../contract/names.js';
import {
  type ColumnsOf,
  generated,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../database/columns.js';

export const webhookEndpoints = table('webhook_endpoints', {
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  /** Without user name and password. */
  url: text(),
  /** `user:password` of the URL, sent as Basic authentication (RFC 7617). `null` if it has none. */
  credentials_sealed: nullable(text()),
  description: nullable(text()),
  /** JSON array of event names. `null` for the default events. */
  events: nullable(json()),
  /** JSON array of inbox ids, which limit `message.received`. `null` for no limit. */
  inbox_ids: nullable(json()),
  status: text<'enabled' | 'disabled'>(),
  disabled_reason: nullable(text()),
  consecutive_failures: int(),
  /** Time of the latest successful attempt. `null` if none has succeeded. */
  last_success_at: nullable(instant()),
  secret_sealed: text(),
  format: generated(text<WebhookFormat>()),
  payload: generated(text<WebhookPayload>()),
  /** The secret before a rotation signs too, until then. */
  previous_secret_sealed: nullable(text()),
  previous_secret_until: nullable(instant()),
  /** Verifies deliveries, in a format that is signed with a pair of keys; it belongs to the secret. */
  public_key: nullable(text()),
  created_at: instant(),
  updated_at: instant(),
});
export type WebhookEndpoint = RowOf<typeof webhookEndpoints>;

export const webhookDeliveries = table('webhook_deliveries', {
  id: generated(int()),
  public_id: text(),
  endpoint_id: text(),
  environment_id: int(),
  /** Position of the event in its chain; null for a test event. */
  event_position: nullable(int()),
  event: text<WebhookEvent>(),
  /** The message or tenant it is about: deliveries of one subject keep their order. */
  subject_id: text(),
  payload: text(),
  status: text<'pending' | 'succeeded' | 'failed'>(),
  attempts: int(),
  due_at: nullable(instant()),
  lease_until: nullable(instant()),
  /** Public id of the delivery that this one repeats. */
  replay_of: nullable(text()),
  /** The vendor's format, and the body in it. Both are null if the payload itself is sent. */
  format: nullable(text<WebhookFormat>()),
  body: nullable(text()),
  /** The header of the request that created the message, sent as the header of the same name. */
  traceparent: nullable(text()),
  created_at: instant(),
});
export type WebhookDeliveryTable = ColumnsOf<typeof webhookDeliveries>;
export type WebhookDelivery = RowOf<typeof webhookDeliveries>;

export const webhookAttempts = table('webhook_attempts', {
  delivery_id: int(),
  number: int(),
  at: instant(),
  duration_ms: int(),
  response_status: nullable(int()),
  response_body: nullable(text()),
  error: nullable(text()),
  /** The URL of the attempt, and its headers as JSON. */
  url: nullable(text()),
  request_headers: nullable(json()),
  /** `null` if the body is that of the delivery. */
  request_body: nullable(text()),
  response_headers: nullable(json()),
});
export type WebhookAttemptTable = ColumnsOf<typeof webhookAttempts>;
export type WebhookAttempt = RowOf<typeof webhookAttempts>;

export const webhookReplays = table('webhook_replays', {
  id: text(),
  endpoint_id: text(),
  environment_id: int(),
  /** By the time of the events; `until` is exclusive, and null if it was not given. */
  since: instant(),
  until: nullable(instant()),
  /** Replays only events whose last delivery has this status; all events if `null`. */
  status: nullable(text<'succeeded' | 'failed'>()),
  /** The last position in the chain that was read, and the last that will be. */
  position: int(),
  end_position: int(),
  /** Made so far. */
  deliveries: int(),
  created_at: instant(),
  finished_at: nullable(instant()),
});
export type WebhookReplay = RowOf<typeof webhookReplays>;
