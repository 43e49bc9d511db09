// The signing secret of a webhook endpoint, replaced while deliveries go on.
import { idParams } from '../contract/schema.js';
import { webhookEndpointCreated } from './endpoint.schema.js';
import type { VendorFormats } from './format.rules.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { WebhookStores } from './stores.js';
import { newEndpointSecret, rotatedColumns } from './endpoint-secret.js';
import type { Api } from '../http/api.js';
import { presentWebhookEndpoint } from './endpoint.view.js';
import { endpointOf } from './endpoints.routes.js';
import { webhookEndpoints } from './webhooks.tables.js';
import { update } from '../database/rows.js';

export interface WebhookSecretDeps {
  store: Pick<WebhookStores, 'webhooks' | 'commit'>;
  masterKey: Buffer;
  formats: VendorFormats;
  clock: Clock;
  /** Time (ms) that the former secret still signs after a rotation; 0: not at all. */
  overlapMs: number;
  /** Called when an endpoint was changed. */
  notifyDeliveries: () => void;
}

export function webhookSecretRoutes(app: Api, deps: WebhookSecretDeps): void {
  const { store, masterKey, formats, clock, overlapMs, notifyDeliveries } = deps;
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
      const { id } = before;
      const now = clock();
      const { secret, sealed } = newEndpointSecret(masterKey, id);
      const set = {
        ...rotatedColumns(sealed, before, { now, overlapMs }),
        public_key: formats[before.format]?.publicKeyOf?.(secret) ?? null,
        updated_at: now,
      };
      await store.commit([
        update(webhookEndpoints, {
          set, // Of two at once one is refused: a secret that was given out must not be invalid already.
          where: { id, secret_sealed: before.secret_sealed, format: before.format },
          otherwise: {
            code: 'conflict',
            message: 'The webhook endpoint was changed by another request.',
          },
        }),
      ]);
      notifyDeliveries();
      return { ...presentWebhookEndpoint({ ...before, ...set }, { formats, now }), secret };
    },
  );
}
