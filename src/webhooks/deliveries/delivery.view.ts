// Rows of webhook deliveries, their attempts and replays as /v1 shows them.
import type { EventPosition } from '../../contract/event-ids.js';
import { wireOf } from '../../contract/codec.js';
import type { Mode } from '../../contract/names.js';
import { iso, isoOrNull } from '../../contract/time.js';
import { webhookDelivery, webhookReplay, type WebhookDeliveryWire } from './delivery.schema.js';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint, WebhookReplay } from '../webhooks.tables.js';

interface DeliveryContext {
  endpoint: Pick<WebhookEndpoint, 'status'>;
  /** Attempts, with those of other deliveries. */
  attempts: readonly WebhookAttempt[];
  mode: Mode;
  /** Names events of the workspace. */
  idOfEvent: (place: EventPosition) => string;
}

/** Facts that one delivery is shown with. */
interface Surroundings extends Pick<DeliveryContext, 'mode' | 'idOfEvent'> {
  attempts: readonly WebhookAttempt[];
  payload: WebhookDeliveryWire['payload'];
  isWaiting: boolean;
}

export function presentWebhookDelivery(
  row: WebhookDelivery,
  { endpoint, attempts, mode, idOfEvent }: DeliveryContext,
): WebhookDeliveryWire {
  return presentDelivery(row, {
    attempts: attempts.filter((attempt) => attempt.delivery_id === row.id),
    payload: JSON.parse(row.payload) as WebhookDeliveryWire['payload'],
    isWaiting: row.status === 'pending' && endpoint.status === 'enabled',
    mode,
    idOfEvent,
  });
}

const presentDelivery = wireOf(webhookDelivery).from<WebhookDelivery, Surroundings>({
  id: 'public_id',
  event_id: ({ event_position: position }, { payload, idOfEvent }) =>
    position === null ? null : idOfEvent({ occurredAt: Date.parse(payload.occurred_at), position }),
  attempts: (_row, { attempts }) => attempts.map((attempt) => presentAttempt(attempt)),
  next_attempt_at: (row, { isWaiting }) => (isWaiting ? isoOrNull(row.due_at) : null),
  payload: (_row, { payload, mode }) => ({ ...payload, data: { ...payload.data, sandbox: mode === 'test' } }),
  request_body: (row, { attempts }) => attempts.at(-1)?.request_body ?? row.body ?? row.payload,
});

const presentAttempt = wireOf(webhookDelivery.properties.attempts.items).from<WebhookAttempt>();

export const presentWebhookReplay = wireOf(webhookReplay).from<WebhookReplay>({
  until: (row) => iso(row.until ?? row.created_at),
  state: (row) => (row.finished_at === null ? 'running' : 'finished'),
});
