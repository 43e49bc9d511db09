// Wires the delivery of events: webhook endpoints with their deliveries and replays, the feed and its streams.
import type { Routes } from '../http/api.js';
import { EventStreams } from '../feed/event-streams.js';
import { createSessionRecheck } from '../accounts/access/session-recheck.js';
import { eventStreamRoutes } from '../feed/stream.routes.js';
import { messageDeliveryRoutes } from './deliveries/message-deliveries.routes.js';
import { eventRoutes } from '../feed/events.routes.js';
import { webhookDeliveryRoutes } from './deliveries/deliveries.routes.js';
import { webhookEndpointRoutes } from './endpoints.routes.js';
import { webhookReplayRoutes } from './deliveries/replays.routes.js';
import { createRecordReader } from './records.view.js';
import type { SubTenantSettings } from '../domains/sub-tenants/sub-tenant.view.js';
import type { WebhookContext } from './context.js';
import { createUrlCheck, Webhooks } from './webhooks.js';

export type WebhooksApi = ReturnType<typeof createWebhooksApi>;

export function createWebhooksApi(
  given: Omit<WebhookContext, 'checkUrl' | 'readRecords' | 'notifyDeliveries'>,
  shown: SubTenantSettings,
) {
  const { store, config, credentials, clock } = given;
  const readRecords = createRecordReader(given, shown);
  const webhooks = new Webhooks({ ...given, readRecords });
  const context: WebhookContext = {
    ...given,
    readRecords,
    checkUrl: createUrlCheck(given),
    notifyDeliveries: () => webhooks.deliveryWakeUp.notify(),
  };
  const streams = new EventStreams(given);
  const recheck = createSessionRecheck({ store, credentials, settings: config, clock });
  const notify = (): void => {
    webhooks.wakeUp.notify();
    streams.notify();
  };
  store.onRecordEvents(notify);
  const routes: Routes[] = [
    (api) => webhookEndpointRoutes(api, context),
    (api) => webhookDeliveryRoutes(api, context),
    (api) => messageDeliveryRoutes(api, context),
    (api) => webhookReplayRoutes(api, context, webhooks.replays),
    (api) => eventRoutes(api, context),
    (api) => eventStreamRoutes(api, context, { streams, recheck }),
  ];
  return {
    routes,
    /** Call it when an event was appended to a chain. */
    notify,
    start: () => webhooks.start(),
    /** Call it before the ports close, because a server waits for its connections, and a stream never ends on its own. */
    closeStreams: () => streams.close(),
    stop: () => webhooks.stop(),
  };
}
