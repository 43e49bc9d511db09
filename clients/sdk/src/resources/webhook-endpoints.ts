// Webhook endpoints: the URLs that receive events, with a log of every delivery.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointCreated,
  WebhookEndpointDeleted,
  WebhookEndpointList,
  WebhookEndpointUpdate,
  WebhookReplay,
  WebhookReplayCreate,
  WebhookReplayList,
  WebhookTest,
} from '../types.js';

export class WebhookEndpoints extends Resource {
  /**
   * Creates a webhook endpoint. The signing secret is only returned by this call. Fails with
   * `webhook_url_not_allowed` if the address is not public.
   *
   * @example
   * const { secret } = await mailkeel.webhookEndpoints.create({ url: 'https://customer.example/hooks', events: ['message.bounced'] });
   */
  create(params: WebhookEndpointCreate, options?: RequestOptions): ApiPromise<WebhookEndpointCreated> {
    return this.call('POST /v1/webhook-endpoints', { body: params, options });
  }

  /**
   * Lists webhook endpoints.
   *
   * @example
   * const endpoints = await mailkeel.webhookEndpoints.list();
   */
  list(
    params: Query<'webhookEndpoints.list'> = {},
    options?: RequestOptions,
  ): List<WebhookEndpoint, WebhookEndpointList> {
    return this.pages('GET /v1/webhook-endpoints', { query: params, options });
  }

  /**
   * Returns a webhook endpoint.
   *
   * @example
   * const endpoint = await mailkeel.webhookEndpoints.get('whe_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('GET /v1/webhook-endpoints/{id}', { path: [id], options });
  }

  /**
   * Updates or re-enables a webhook endpoint. Pending deliveries are sent when you re-enable it.
   *
   * @example
   * await mailkeel.webhookEndpoints.update('whe_01kdyak3se4w5amvgkazjzkvb7', { status: 'enabled' });
   */
  update(id: string, params: WebhookEndpointUpdate, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.call('PATCH /v1/webhook-endpoints/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes a webhook endpoint and its delivery log.
   *
   * @example
   * await mailkeel.webhookEndpoints.delete('whe_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<WebhookEndpointDeleted> {
    return this.call('DELETE /v1/webhook-endpoints/{id}', { path: [id], options });
  }

  /**
   * Replaces the signing secret. The new secret is only returned by this call. During the transition, deliveries are
   * signed with both secrets; pass both to `webhooks.verify`.
   *
   * @example
   * const { secret } = await mailkeel.webhookEndpoints.rotateSecret('whe_01kdyak3se4w5amvgkazjzkvb7');
   */
  rotateSecret(id: string, options?: RequestOptions): ApiPromise<WebhookEndpointCreated> {
    return this.call('POST /v1/webhook-endpoints/{id}/rotate-secret', { path: [id], options });
  }

  /**
   * Sends a test event that is signed, retried and logged like any other.
   *
   * @example
   * await mailkeel.webhookEndpoints.test('whe_01kdyak3se4w5amvgkazjzkvb7', { event: 'message.bounced' });
   */
  test(id: string, params?: WebhookTest, options?: RequestOptions): ApiPromise<WebhookDelivery> {
    return this.call('POST /v1/webhook-endpoints/{id}/test', { path: [id], body: params ?? {}, options });
  }

  /**
   * Lists the deliveries of a webhook endpoint with the exact body and every attempt.
   *
   * @example
   * for await (const delivery of mailkeel.webhookEndpoints.listDeliveries('whe_01kdyak3se4w5amvgkazjzkvb7', { status: ['failed'] })) console.log(delivery.id);
   */
  listDeliveries(
    id: string,
    params: Query<'webhookEndpoints.listDeliveries'> = {},
    options?: RequestOptions,
  ): List<WebhookDelivery, WebhookDeliveryList> {
    return this.pages('GET /v1/webhook-endpoints/{id}/deliveries', { path: [id], query: params, options });
  }

  /**
   * Repeats a delivery as a new delivery with the same body.
   *
   * @example
   * await mailkeel.webhookEndpoints.replayDelivery('whe_01kdyak3se4w5amvgkazjzkvb7', 'whd_01kdyak3se4w5amvgkazjzkvb7');
   */
  replayDelivery(id: string, deliveryId: string, options?: RequestOptions): ApiPromise<WebhookDelivery> {
    return this.call('POST /v1/webhook-endpoints/{id}/deliveries/{delivery_id}/replay', {
      path: [id, deliveryId],
      options,
    });
  }

  /**
   * Redelivers the events of a period in order. An endpoint can have one replay at a time and must be enabled.
   *
   * @example
   * await mailkeel.webhookEndpoints.replay('whe_01kdyak3se4w5amvgkazjzkvb7', { since: '2026-03-01T09:00:00Z', status: 'failed' });
   */
  replay(id: string, params: WebhookReplayCreate, options?: RequestOptions): ApiPromise<WebhookReplay> {
    return this.call('POST /v1/webhook-endpoints/{id}/replay', { path: [id], body: params, options });
  }

  /**
   * Lists replays with their progress.
   *
   * @example
   * const replays = await mailkeel.webhookEndpoints.listReplays('whe_01kdyak3se4w5amvgkazjzkvb7');
   */
  listReplays(
    id: string,
    params: Query<'webhookEndpoints.listReplays'> = {},
    options?: RequestOptions,
  ): List<WebhookReplay, WebhookReplayList> {
    return this.pages('GET /v1/webhook-endpoints/{id}/replays', { path: [id], query: params, options });
  }
}
