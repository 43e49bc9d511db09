// The delivery log of a webhook endpoint, and deliveries that are only a test.
import type { Static } from 'typebox';
import { listOf } from '../../contract/lists.js';
import { WEBHOOK_EVENTS } from '../../contract/names.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { idParams, type closed } from '../../contract/schema.js';
import { webhookDelivery, webhookDeliveryFilters, webhookTest } from './delivery.schema.js';
import type { VendorFormats } from '../format.rules.js';
import { subjectPrefixOf } from '../../events/event-names.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { newId } from '../../lib/runtime/ids.js';
import type { WebhookStores } from '../stores.js';
import type { DeliveryFilter } from '../webhooks.store.js';
import { contentOf, newDelivery } from './delivery-content.js';
import type { Api } from '../../http/api.js';
import { listAnswer, createdQueryWith, readPage, readRange } from '../../http/lists/pages.js';
import { eventIdsOf } from '../../http/lists/cursors.js';
import { presentWebhookDelivery } from './delivery.view.js';
import { presentWebhookEndpoint } from '../endpoint.view.js';
import { readSubscriber } from './fan-out.js';
import { endpointOf } from '../endpoints.routes.js';
import { webhookDeliveries } from '../webhooks.tables.js';
import { insert } from '../../database/rows.js';

type FilterQuery = Static<ReturnType<typeof closed<typeof webhookDeliveryFilters>>>;

const tags = ['Webhook endpoints'];
const DEFAULT_TEST = 'message.delivered';
/** Message of a test event, for the formats of vendors. */
const TEST_RECORD = {
  to: 'recipient@example.com',
  from: { email: 'sender@example.com', name: null },
  subject: 'Test',
};

export interface WebhookDeliveryDeps {
  store: Pick<WebhookStores, 'webhooks' | 'commit'>;
  formats: VendorFormats;
  clock: Clock;
  /** Called when a delivery was added. */
  notifyDeliveries: () => void;
}

export function webhookDeliveryRoutes(app: Api, deps: WebhookDeliveryDeps): void {
  const { store } = deps;
  testRoute(app, deps);

  app.get(
    '/v1/webhook-endpoints/:id/deliveries',
    {
      schema: {
        operationId: 'webhookEndpoints.listDeliveries',
        tags,
        summary: "List a webhook endpoint's deliveries",
        description:
          "Returns the deliveries to a webhook endpoint with all attempts, newest first. An endpoint serves both environments, but only deliveries of the key's environment are returned.",
        params: idParams,
        querystring: createdQueryWith(webhookDeliveryFilters),
        response: { 200: listOf(webhookDelivery) },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const endpoint = await endpointOf(store, scope, request.params.id);
      const wanted = readPage(request);
      const page = await store.webhooks.deliveries(scope, endpoint.id, wanted, readFilter(request.query));
      const attempts = await store.webhooks.attemptsOf(page.rows.map((row) => row.id));
      const around = { endpoint, attempts, mode: scope.mode, idOfEvent: eventIdsOf(request) };
      return listAnswer(request, page, (row) => presentWebhookDelivery(row, around));
    },
  );
}

function readFilter(query: FilterQuery): DeliveryFilter {
  const { status, event, message_id: subjectId } = query;
  return {
    ...(status === undefined ? {} : { status }),
    ...(event === undefined ? {} : { event }),
    ...(subjectId === undefined ? {} : { subjectId }),
    ...readRange(query),
  };
}

function testRoute(app: Api, { store, formats, clock, notifyDeliveries }: WebhookDeliveryDeps): void {
  app.post(
    '/v1/webhook-endpoints/:id/test',
    {
      config: { role: 'admin', optionalBody: true },
      schema: {
        operationId: 'webhookEndpoints.test',
        tags,
        summary: 'Test a webhook endpoint',
        description:
          'Sends a test event, which is signed, retried and logged like any other event. Its `data.id` starts with `msg_test_`, `tnt_test_` or a similar prefix and does not refer to an existing object. Users need the role `admin`.',
        params: idParams,
        body: webhookTest,
        response: { 200: webhookDelivery },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const endpoint = await endpointOf(store, scope, request.params.id);
      if (endpoint.status === 'disabled') {
        throw new Refusal(
          'conflict',
          'The webhook endpoint is disabled. Enable it before you send a test event.',
        );
      }
      const { events } = presentWebhookEndpoint(endpoint, { formats, now: clock() });
      const usual = events.includes(DEFAULT_TEST) ? DEFAULT_TEST : (events[0] ?? WEBHOOK_EVENTS[0]);
      const name = request.body.event ?? usual;
      const now = clock();
      const subjectId = testSubjectId(subjectPrefixOf(name), now);
      const subject = { record: formats[endpoint.format] === undefined ? null : TEST_RECORD, detail: null };
      const subscriber = readSubscriber(endpoint, formats);
      const content = contentOf({ name, subjectId, occurredAt: now }, subscriber, subject);
      if (content === null) {
        throw invalidFields([
          { path: 'event', message: `is not available in the format ${endpoint.format}` },
        ]);
      }
      const about = { environmentId: scope.environmentId, position: null, event: name, subjectId };
      const row = newDelivery({ endpointId: endpoint.id, now, ...about, ...content });
      await store.commit([insert(webhookDeliveries, { row })]);
      notifyDeliveries();
      const delivery = await store.webhooks.delivery(scope, endpoint.id, row.public_id);
      if (!delivery) throw new Refusal('not_found');
      return presentWebhookDelivery(delivery, {
        endpoint,
        attempts: await store.webhooks.attemptsOf([delivery.id]),
        mode: scope.mode,
        idOfEvent: eventIdsOf(request),
      });
    },
  );
}

/** No real id has an underscore after its prefix. */
function testSubjectId(prefix: ReturnType<typeof subjectPrefixOf>, now: number): string {
  return newId(prefix, now).replace('_', '_test_');
}
