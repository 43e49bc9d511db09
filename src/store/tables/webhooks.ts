// The tables of webhooks: endpoints, deliveries, the attempts to make them, and replays.
import type { Generated } from 'kysely';
import type { WebhookEvent, WebhookFormat, WebhookPayload } from '../../contract/names.js';
import type { Instant, Json } from './columns.js';

export interface WebhookEndpointTable {
  id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  url: string;
  description: string | null;
  /** JSON array of event names; null: the default set. */
  events: Json | null;
  status: 'enabled' | 'disabled';
  disabled_reason: string | null;
  consecutive_failures: number;
  secret_sealed: string;
  format: Generated<WebhookFormat>;
  payload: Generated<WebhookPayload>;
  /** The secret before a rotation signs too, until then. */
  previous_secret_sealed: Generated<string | null>;
  previous_secret_until: Generated<Instant | null>;
  /** Verifies deliveries, in a format that is signed with a pair of keys; it belongs to the secret. */
  public_key: Generated<string | null>;
  created_at: Instant;
  updated_at: Instant;
}

export interface WebhookDeliveryTable {
  id: Generated<number>;
  public_id: string;
  endpoint_id: string;
  environment_id: number;
  /** Position of the event in its chain; null for a test event. */
  event_position: number | null;
  event: WebhookEvent;
  /** The message or tenant it is about: deliveries of one subject keep their order. */
  subject_id: string;
  payload: string;
  status: 'pending' | 'succeeded' | 'failed';
  attempts: number;
  due_at: Instant | null;
  lease_until: Instant | null;
  /** Public id of the delivery that this one repeats. */
  replay_of: Generated<string | null>;
  /** The format of another, and the body in it; both null where the payload is what is sent. */
  format: Generated<WebhookFormat | null>;
  body: Generated<string | null>;
  created_at: Instant;
}

export interface WebhookAttemptTable {
  delivery_id: number;
  number: number;
  at: Instant;
  duration_ms: number;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  /** Where it was posted; with these headers, as JSON. */
  url: Generated<string | null>;
  request_headers: Generated<Json | null>;
  /** Null where the body is that of the delivery. */
  request_body: Generated<string | null>;
  response_headers: Generated<Json | null>;
}

export interface WebhookReplayTable {
  id: string;
  endpoint_id: string;
  environment_id: number;
  /** By the time of the events; `until`, exclusive, is null when it was not given. */
  since: Instant;
  until: Instant | null;
  /** Only events whose last delivery to the endpoint ended so; null: all. */
  status: 'succeeded' | 'failed' | null;
  /** The last position in the chain that was read, and the last that will be. */
  position: number;
  end_position: number;
  /** Made so far. */
  deliveries: number;
  created_at: Instant;
  finished_at: Instant | null;
}
