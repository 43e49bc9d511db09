// The webhook deliveries of one message to all endpoints.
import { listOf, pageQuery } from '../../contract/lists.js';
import { idParams } from '../../contract/schema.js';
import { webhookDelivery } from './delivery.schema.js';
import type { WebhookStores } from '../stores.js';
import type { Api } from '../../http/api.js';
import { workspaceEventIds } from '../../http/lists/cursors.js';
import { listAnswer, readPage } from '../../http/lists/pages.js';
import { presentWebhookDelivery } from './delivery.view.js';
import { findMessage } from '../../messages/messages.routes.js';

export function messageDeliveryRoutes(
  app: Api,
  { store }: { store: Pick<WebhookStores, 'messages' | 'webhooks'> },
): void {
  app.get(
    '/v1/messages/:id/deliveries',
    {
      schema: {
        operationId: 'messages.listDeliveries',
        tags: ['Messages'],
        summary: "List a message's webhook deliveries",
        description:
          'Returns the webhook deliveries of a message with all attempts, newest first, for all endpoints visible to the key. Deliveries are deleted together with their endpoint.',
        params: idParams,
        querystring: pageQuery,
        response: { 200: listOf(webhookDelivery) },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const wanted = readPage(request);
      const found = await findMessage(store, scope, request.params.id);
      const endpoints = new Map(
        (await store.webhooks.endpointsSeen(scope)).map((endpoint) => [endpoint.id, endpoint]),
      );
      const asked = { subjectId: found.public_id, endpointIds: [...endpoints.keys()] };
      const page = await store.webhooks.deliveriesOfSubject(scope, asked, wanted);
      const attempts = await store.webhooks.attemptsOf(page.rows.map((row) => row.id));
      const idOfEvent = workspaceEventIds(request);
      return listAnswer(request, page, (row) => {
        const endpoint = endpoints.get(row.endpoint_id) ?? { status: 'disabled' as const };
        return presentWebhookDelivery(row, { endpoint, attempts, mode: scope.mode, idOfEvent });
      });
    },
  );
}
