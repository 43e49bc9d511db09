// Wires how events are delivered: webhook endpoints, their deliveries and replays, the feed and the stream.
import type { Routes } from '../http/api.js';
import { createEventStreams } from '../feed/streams.routes.js';
import type { SubTenantSettings } from '../domains/sub-tenants/sub-tenant.view.js';
import { createSessionRecheck } from '../accounts/access/session-recheck.js';
import { eventStreamRoutes } from '../feed/stream.routes.js';
import { messageDeliveryRoutes } from './deliveries/message-deliveries.routes.js';
import { eventRoutes } from '../feed/events.routes.js';
import { webhookDeliveryRoutes } from './deliveries/deliveries.routes.js';
import { webhookEndpointRoutes } from './endpoints.routes.js';
import { webhookReplayRoutes } from './deliveries/replays.routes.js';
import { webhookSecretRoutes } from './secrets.routes.js';
import { createWebhookRecords } from './records.view.js';
import type { VendorFormats } from './format.rules.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { Log } from '../lib/runtime/log.js';
import type { DividedRoom } from '../lib/runtime/room.js';
import type { WebhookStores } from './stores.js';
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import { createUrlCheck, createWebhooks } from './webhooks.js';

export interface WebhooksApiDeps {
  store: WebhookStores;
  config: Config;
  masterKey: Buffer;
  credentials: CredentialCache;
  resolver: DnsResolver;
  /** Formats of other vendors that an endpoint may choose. */
  formats: VendorFormats;
  /** Settings for the view of sub-tenants. */
  shown: SubTenantSettings;
  /** Of several nodes one makes deliveries and attempts. */
  room?: DividedRoom | undefined;
  clock: Clock;
  log: Log;
}

export interface WebhooksApi {
  routes: Routes[];
  /** Something was appended to an event chain. */
  notify(): void;
  start(): void;
  /** Before the ports close: a server waits for its connections, and a stream never ends by itself. */
  closeStreams(): Promise<void>;
  stop(): Promise<void>;
}

/** The streams end with the server whose routes they are; `stop` is of the deliveries. */
export function createWebhooksApi(deps: WebhooksApiDeps): WebhooksApi {
  const { store, config, masterKey, credentials, formats, resolver, clock, log } = deps;
  const recordsOf = createWebhookRecords({ store, settings: deps.shown });
  const webhooks = createWebhooks({
    store,
    settings: config,
    masterKey,
    recordsOf,
    formats,
    resolver,
    room: deps.room,
    clock,
    log,
  });
  const streams = createEventStreams({ store, log, settings: config });
  const recheck = createSessionRecheck({ store, credentials, settings: config, clock });
  const checkUrl = createUrlCheck({ allowPrivate: config.webhookAllowPrivate, resolver });
  const notifyDeliveries = (): void => webhooks.deliveryWakeUp.notify();
  const notify = (): void => {
    webhooks.wakeUp.notify();
    streams.ring();
  };
  store.onRecordEvents(notify);
  const overlapMs = config.webhookSecretOverlapMs;
  const secrets = { store, masterKey, formats, clock, overlapMs, notifyDeliveries };
  return {
    routes: [
      (api) => webhookEndpointRoutes(api, { store, masterKey, formats, clock, checkUrl, notifyDeliveries }),
      (api) => webhookSecretRoutes(api, secrets),
      (api) => webhookDeliveryRoutes(api, { store, formats, clock, notifyDeliveries }),
      (api) => messageDeliveryRoutes(api, { store }),
      (api) => webhookReplayRoutes(api, { store, replays: webhooks.replays, clock, notifyDeliveries }),
      (api) => eventRoutes(api, { store }),
      (api) => eventStreamRoutes(api, { store, streams, recheck, clock, log }),
    ],
    notify,
    start: () => webhooks.start(),
    closeStreams: () => streams.close(),
    stop: () => webhooks.stop(),
  };
}
