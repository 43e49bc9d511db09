// Replays of a single delivery, or of the events of a period.
import { listOf } from '../../contract/lists.js';
import { invalidFields } from '../../contract/refusal.js';
import { idParams } from '../../contract/schema.js';
import {
  webhookDelivery,
  webhookDeliveryParams,
  webhookReplay,
  webhookReplayCreate,
} from './delivery.schema.js';
import type { WebhookContext } from '../context.js';
import type { Replays } from './replays.js';
import type { Api } from '../../http/api.js';
import { readInstant } from '../../http/body/fields.js';
import { workspaceEventIds } from '../../http/lists/cursors.js';
import { listAnswer, orderedQuery, readPage } from '../../http/lists/pages.js';
import { presentWebhookDelivery, presentWebhookReplay } from './delivery.view.js';
import { readEndpoint } from '../endpoints.js';

const tags = ['Webhook endpoints'];

export function webhookReplayRoutes(
  app: Api,
  { store, clock }: Pick<WebhookContext, 'store' | 'clock'>,
  replays: Pick<Replays, 'begin' | 'repeat'>,
): void {
  repeatRoute(app, store, replays);

  app.post(
    '/v1/webhook-endpoints/:id/replay',
    {
      config: { role: 'admin' },
      schema: {
        operationId: 'webhookEndpoints.replay',
        tags,
        summary: 'Replay events to a webhook endpoint',
        description:
          "Delivers the events of a period again, in order and as new deliveries, for the key's environment. Events with a delivery in progress are skipped. A long replay continues in the background with `state` set to `running`. Repeating the request within a minute returns the same replay. An endpoint can have only one replay at a time. Users need the role `admin`.",
        params: idParams,
        body: webhookReplayCreate,
        response: { 200: webhookReplay },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { since: from, until: to, status = null } = request.body;
      const since = readInstant('since', from);
      const until = to === undefined || to === null ? null : readInstant('until', to);
      if (since > clock()) throw invalidFields([{ path: 'since', message: 'is in the future' }]);
      if (until !== null && until <= since) {
        throw invalidFields([{ path: 'until', message: 'must be later than since' }]);
      }
      const endpoint = await readEndpoint(store, scope, request.params.id);
      return presentWebhookReplay(await replays.begin(scope, endpoint, { since, until, status }));
    },
  );

  app.get(
    '/v1/webhook-endpoints/:id/replays',
    {
      schema: {
        operationId: 'webhookEndpoints.listReplays',
        tags,
        summary: "List a webhook endpoint's replays",
        description: 'Returns the replays of a webhook endpoint with their progress, newest first.',
        params: idParams,
        querystring: orderedQuery,
        response: { 200: listOf(webhookReplay) },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const endpoint = await readEndpoint(store, scope, request.params.id);
      const page = await store.webhooks.replays(scope, endpoint.id, readPage(request));
      return listAnswer(request, page, presentWebhookReplay);
    },
  );
}

function repeatRoute(app: Api, store: WebhookContext['store'], replays: Pick<Replays, 'repeat'>): void {
  app.post(
    '/v1/webhook-endpoints/:id/deliveries/:delivery_id/replay',
    {
      config: { role: 'admin' },
      schema: {
        operationId: 'webhookEndpoints.replayDelivery',
        tags,
        summary: 'Replay a webhook delivery',
        description:
          'Creates a new delivery of the same event with the same body. `replay_of` is the ID of the original delivery. Users need the role `admin`.',
        params: webhookDeliveryParams,
        response: { 200: webhookDelivery },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const endpoint = await readEndpoint(store, scope, request.params.id);
      const delivery = await replays.repeat(scope, endpoint, request.params.delivery_id);
      return presentWebhookDelivery(delivery, {
        endpoint,
        attempts: await store.webhooks.attemptsOf([delivery.id]),
        mode: scope.mode,
        idOfEvent: workspaceEventIds(request),
      });
    },
  );
}
