// Rows of webhook deliveries, their attempts and replays as /v1 shows them.
import type { Mode } from '../../contract/names.js';
import type { WebhookDeliveryWire, WebhookReplayWire } from './delivery.schema.js';
import type { WebhookReplay } from './replays.store.js';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../webhooks.store.js';
import type { EventPlace } from '../../api/cursors.js';
import { iso, isoOrNull } from '../../contract/time.js';

export interface DeliverySurroundings {
  endpoint: Pick<WebhookEndpoint, 'status'>;
  /** Those of other deliveries too. */
  attempts: readonly WebhookAttempt[];
  mode: Mode;
  /** Names events of the workspace. */
  idOfEvent: (place: EventPlace) => string;
}

export function presentWebhookDelivery(
  row: WebhookDelivery,
  { endpoint, attempts, mode, idOfEvent }: DeliverySurroundings,
): WebhookDeliveryWire {
  const payload = JSON.parse(row.payload) as WebhookDeliveryWire['payload'];
  const own = attempts.filter((attempt) => attempt.delivery_id === row.id);
  const isWaiting = row.status === 'pending' && endpoint.status === 'enabled';
  return {
    id: row.public_id,
    object: 'webhook_delivery',
    endpoint_id: row.endpoint_id,
    event: row.event,
    event_id:
      row.event_position === null
        ? null
        : idOfEvent({ occurredAt: Date.parse(payload.occurred_at), position: row.event_position }),
    status: row.status,
    replay_of: row.replay_of,
    attempts: own.map(presentAttempt),
    next_attempt_at: isWaiting ? isoOrNull(row.due_at) : null,
    payload: { ...payload, data: { ...payload.data, sandbox: mode === 'test' } },
    request_body: own.at(-1)?.request_body ?? row.body ?? row.payload,
    created_at: iso(row.created_at),
  };
}

function presentAttempt(attempt: WebhookAttempt): WebhookDeliveryWire['attempts'][number] {
  const { number, at, duration_ms, url, response_status, response_body, error } = attempt;
  return {
    number,
    at: iso(at),
    duration_ms,
    url,
    request_headers: headersOf(attempt.request_headers),
    request_body: attempt.request_body,
    response_status,
    response_headers: headersOf(attempt.response_headers),
    response_body,
    error,
  };
}

function headersOf(text: string | null): Record<string, string> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, string>); // as the attempt wrote them
}

export function presentWebhookReplay(row: WebhookReplay): WebhookReplayWire {
  return {
    id: row.id,
    object: 'webhook_replay',
    endpoint_id: row.endpoint_id,
    since: iso(row.since),
    until: iso(row.until ?? row.created_at),
    status: row.status,
    state: row.finished_at === null ? 'running' : 'finished',
    deliveries: row.deliveries,
    created_at: iso(row.created_at),
    finished_at: isoOrNull(row.finished_at),
  };
}
