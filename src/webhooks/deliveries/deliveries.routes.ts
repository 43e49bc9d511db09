// The delivery log of a webhook endpoint, and deliveries that are only a test.
import type { Static } from 'typebox';
import { listOf } from '../../contract/lists.js';
import { idParams, type closed } from '../../contract/schema.js';
import { webhookDelivery, webhookDeliveryFilters, webhookTest } from './delivery.schema.js';
import type { WebhookContext } from '../context.js';
import type { DeliveryFilter } from '../webhooks.store.js';
import type { Api } from '../../http/api.js';
import { listAnswer, createdQueryWith, readPage, readRange } from '../../http/lists/pages.js';
import { workspaceEventIds } from '../../http/lists/cursors.js';
import { presentWebhookDelivery } from './delivery.view.js';
import { sendTestEvent } from './test-event.js';
import { readEndpoint } from '../endpoints.js';

type FilterQuery = Static<ReturnType<typeof closed<typeof webhookDeliveryFilters>>>;

const tags = ['Webhook endpoints'];

type DeliveryRouteContext = Pick<WebhookContext, 'store' | 'formats' | 'clock' | 'notifyDeliveries'>;

export function webhookDeliveryRoutes(app: Api, context: DeliveryRouteContext): void {
  const { store } = context;
  testRoute(app, context);

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
      const endpoint = await readEndpoint(store, scope, request.params.id);
      const wanted = readPage(request);
      const page = await store.webhooks.deliveries(scope, endpoint.id, wanted, readFilter(request.query));
      const attempts = await store.webhooks.attemptsOf(page.rows.map((row) => row.id));
      const around = { endpoint, attempts, mode: scope.mode, idOfEvent: workspaceEventIds(request) };
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

function testRoute(app: Api, context: DeliveryRouteContext): void {
  const { store } = context;
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
      const endpoint = await readEndpoint(store, scope, request.params.id);
      const delivery = await sendTestEvent(context, scope, endpoint, request.body.event);
      return presentWebhookDelivery(delivery, {
        endpoint,
        attempts: await store.webhooks.attemptsOf([delivery.id]),
        mode: scope.mode,
        idOfEvent: workspaceEventIds(request),
      });
    },
  );
}
