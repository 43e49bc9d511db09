// The signing secret of a webhook endpoint, replaced while deliveries go on.
import { idParams } from '../contract/schema.js';
import { webhookEndpointCreated } from './endpoint.schema.js';
import type { Api } from '../http/api.js';
import { presentWebhookEndpoint } from './endpoint.view.js';
import { type EndpointDeps, endpointOf, rotateSecret } from './endpoints.js';

export interface WebhookSecretDeps extends Omit<EndpointDeps, 'checkUrl'> {
  /** Time (ms) that the former secret still signs after a rotation; 0: not at all. */
  overlapMs: number;
}

export function webhookSecretRoutes(app: Api, deps: WebhookSecretDeps): void {
  const { store, formats, clock } = deps;
  app.post(
    '/v1/webhook-endpoints/:id/rotate-secret',
    {
      config: { role: 'admin', showsSecret: true },
      schema: {
        operationId: 'webhookEndpoints.rotateSecret',
        tags: ['Webhook endpoints'],
        summary: "Rotate a webhook endpoint's signing secret",
        description:
          'Replaces the signing secret and returns the new one, which is not shown again. Until `previous_secret_until`, deliveries are signed with both secrets. Rotating again within that time discards the older one. Formats with a single signature use the new secret immediately. Users need the role `admin`.',
        params: idParams,
        response: { 200: webhookEndpointCreated },
      },
    },
    async (request) => {
      const before = await endpointOf(store, request.caller.scope, request.params.id);
      const { row, secret } = await rotateSecret(deps, before);
      return { ...presentWebhookEndpoint(row, { formats, now: clock() }), secret };
    },
  );
}
