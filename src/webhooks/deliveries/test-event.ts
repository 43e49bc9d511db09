// Test events: deliveries that a person asks for, to see whether an endpoint receives them.
import type { WebhookEvent } from '../../contract/names.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { insert } from '../../database/rows.js';
import type { Scope } from '../../database/scope.js';
import { subjectPrefix } from '../../events/event-names.rules.js';
import { newId } from '../../lib/runtime/index.js';
import type { WebhookContext } from '../context.js';
import { receivedEvents } from '../format.rules.js';
import { type WebhookEndpoint, webhookDeliveries } from '../webhooks.tables.js';
import { deliveryContent, newDelivery } from './delivery-content.js';
import { readSubscriber } from './fan-out.js';

const DEFAULT_TEST = 'message.delivered';
/** Message of a test event, for the formats of vendors. */
const TEST_RECORD = {
  to: 'recipient@example.com',
  from: { email: 'sender@example.com', name: null },
  subject: 'Test',
};

/**
 * The delivery of a test event to the endpoint; without a name, of an event that it receives. Refused with `conflict` if the endpoint
 * is disabled, and with `validation_error` if its format does not have the event.
 */
export async function sendTestEvent(
  {
    store,
    formats,
    clock,
    notifyDeliveries,
  }: Pick<WebhookContext, 'store' | 'formats' | 'clock' | 'notifyDeliveries'>,
  scope: Scope,
  endpoint: WebhookEndpoint,
  event: WebhookEvent | undefined,
) {
  if (endpoint.status === 'disabled') {
    throw new Refusal(
      'conflict',
      'The webhook endpoint is disabled. Enable it before you send a test event.',
    );
  }
  const events = receivedEvents(endpoint, formats);
  const usual = events.includes(DEFAULT_TEST) ? DEFAULT_TEST : (events[0] ?? DEFAULT_TEST);
  const name = event ?? usual;
  const now = clock();
  const subjectId = testSubjectId(subjectPrefix(name), now);
  const subject = { record: formats[endpoint.format] === undefined ? null : TEST_RECORD, detail: null };
  const subscriber = readSubscriber(endpoint, formats);
  const content = deliveryContent({ name, subjectId, occurredAt: now }, subscriber, subject);
  if (content === null) {
    throw invalidFields([{ path: 'event', message: `is not available in the format ${endpoint.format}` }]);
  }
  const about = { environmentId: scope.environmentId, position: null, event: name, subjectId };
  const row = newDelivery({ endpointId: endpoint.id, now, ...about, ...content });
  await store.commit([insert(webhookDeliveries, { row })]);
  notifyDeliveries();
  const delivery = await store.webhooks.delivery(scope, endpoint.id, row.public_id);
  if (!delivery) throw new Refusal('not_found');
  return delivery;
}

/** No real id has an underscore after its prefix. */
function testSubjectId(prefix: ReturnType<typeof subjectPrefix>, now: number): string {
  return newId(prefix, now).replace('_', '_test_');
}
