// Webhooks: events become deliveries, deliveries become attempts, attempts are written down, ranges of time are
// replayed; four loops that meet in the store.
import { type Poster, createPoster } from '../lib/http/https-poster.js';
import { guardedLookup, resolveByDns } from '../lib/http/address-guard.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import { resolveAndCheck } from '../lib/http/outside-url.js';
import type { VendorFormats } from './format.rules.js';
import { type WakeUp, createWakeUp } from '../lib/runtime/wake-up.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { Log } from '../lib/runtime/log.js';
import { createLoop } from '../lib/runtime/loop.js';
import type { DividedRoom } from '../lib/runtime/room.js';
import { productVersion } from '../lib/runtime/version.js';
import type { WebhookStores } from './stores.js';
import { createAttempt } from './deliveries/attempt.js';
import { createDispatch } from './deliveries/dispatch.js';
import type { RecordsOf } from './deliveries/delivery-content.js';
import { createFanOut } from './deliveries/fan-out.js';
import { mostOpen } from './deliveries/endpoint-queues.js';
import { createRecorder } from './deliveries/recorder.js';
import { createReplays, type Replays } from './deliveries/replays.js';
import { createLruCache } from '../lib/runtime/lru-cache.js';
import { extraAuthorities } from '../lib/tls/trust.js';
import { openEndpointSecrets, type EndpointSecrets } from './endpoint-secret.js';
import type { WebhookEndpoint } from './webhooks.tables.js';

// The opened secrets of endpoints, remembered as long as their rows say the same: an endpoint is met many times a second.
const MOST_KNOWN = 10_000;

/** Throws SecretError when a secret does not open with the master key. */
function createEndpointSecrets(masterKey: Buffer): (endpoint: WebhookEndpoint) => EndpointSecrets {
  const known = createLruCache<string, { row: string; secrets: EndpointSecrets }>(MOST_KNOWN);
  return (endpoint) => {
    const { id, secret_sealed, previous_secret_sealed, previous_secret_until, credentials_sealed } = endpoint;
    const row = [secret_sealed, previous_secret_sealed, previous_secret_until, credentials_sealed].join(' ');
    const found = known.get(id);
    if (found?.row === row) return found.secrets;
    const secrets = openEndpointSecrets(masterKey, endpoint);
    known.set(id, { row, secrets });
    return secrets;
  };
}

/** A lost wake-up costs this much. */
const LOOK_MS = 1_000;
/** Between runs that move cursors over events that nobody subscribed to. */
const IDLE_REST_MS = 100;
/** Time (ms) after which a replay goes on when more of it may be queued. */
const REPLAY_LOOK_MS = 500;
const MAX_PER_ENDPOINT = 32;

export type WebhookSettings = Pick<
  Config,
  | 'webhookScheduleMs'
  | 'webhookTimeoutMs'
  | 'webhookParallelism'
  | 'webhookDisableAfter'
  | 'webhookAllowPrivate'
  | 'extraCaFile'
>;

export interface WebhooksDeps {
  store: Pick<WebhookStores, 'webhooks'>;
  settings: WebhookSettings;
  masterKey: Buffer;
  recordsOf: RecordsOf;
  /** Formats of other vendors that endpoints may ask for. */
  formats: VendorFormats;
  resolver: DnsResolver;
  /** Of several nodes one makes the deliveries and attempts of a workspace. */
  room?: DividedRoom | undefined;
  clock: Clock;
  log: Log;
}

export interface Webhooks {
  start(): void;
  /** Lets open attempts end (at most their time-out) and writes them down; the rest stays pending. */
  stop(): Promise<void>;
  /** Rung when something was appended to an event chain. */
  wakeUp: WakeUp;
  /** Notified when an endpoint was changed or a delivery added by hand. */
  deliveryWakeUp: WakeUp;
  replays: Pick<Replays, 'begin'>;
}

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, settings, recordsOf, formats, room, clock, log } = deps;
  const wakeUp = createWakeUp();
  const deliveryWakeUp = createWakeUp();
  const recordWakeUp = createWakeUp();
  let stopping: Promise<void> | undefined;
  const poster = posterOf(deps);
  const recorder = createRecorder({
    store,
    disableAfter: settings.webhookDisableAfter,
    onRecorded(recorded, disabled) {
      dispatch.recorded(recorded, disabled);
      for (const endpoint_id of disabled) log.warn({ endpoint_id }, 'webhook endpoint disabled');
      deliveryWakeUp.notify();
    },
  });
  const dispatch = createDispatch({
    store,
    room,
    clock,
    log,
    attempt: createAttempt({
      poster,
      formats,
      clock,
      scheduleMs: settings.webhookScheduleMs,
      userAgent: `Mailkeel/${productVersion()}`,
    }),
    limits: {
      total: settings.webhookParallelism,
      perEndpoint: Math.min(Math.max(Math.ceil(settings.webhookParallelism / 4), 1), MAX_PER_ENDPOINT),
    },
    timeoutMs: settings.webhookTimeoutMs,
    openSecrets: createEndpointSecrets(deps.masterKey),
    onFinished(finished) {
      recorder.add(finished);
      recordWakeUp.notify();
    },
  });
  const feeding = { store, recordsOf, formats, room, clock, onDeliveries: () => deliveryWakeUp.notify() };
  const replays = createReplays(feeding);
  const repetition = createLoop({
    name: 'webhook-replays',
    run: () => replays.run(),
    intervalMs: REPLAY_LOOK_MS,
    log,
    room,
  });
  const fanOutOnce = createFanOut(feeding);
  const rest = createWakeUp();
  const fanOut = createLoop({
    name: 'webhook-fan-out',
    async run(signal) {
      const { hasMore, isUnheard } = await fanOutOnce();
      // Where nobody waits for events, a cursor that moves after every commit only costs.
      if (isUnheard) await rest.wait(IDLE_REST_MS, signal);
      return hasMore;
    },
    intervalMs: LOOK_MS,
    log,
    wakeUp,
    room,
  });
  const attempts = createLoop({
    name: 'webhook-attempts',
    async run(signal) {
      const { again, nextDueAt } = await dispatch.claim();
      if (!again) await deliveryWakeUp.wait(Math.min((nextDueAt ?? Infinity) - clock(), LOOK_MS), signal);
      return true;
    },
    intervalMs: LOOK_MS,
    log,
    room,
  });
  const records = createLoop({
    name: 'webhook-records',
    run: () => recorder.run(),
    intervalMs: LOOK_MS,
    log,
    wakeUp: recordWakeUp,
  });

  async function stop(): Promise<void> {
    await Promise.all([fanOut.stop(), attempts.stop(), repetition.stop()]);
    await dispatch.stop();
    await records.stop();
    while (await recorder.run());
    await poster.close();
  }

  return {
    start() {
      fanOut.start();
      attempts.start();
      records.start();
      repetition.start();
    },
    stop: () => (stopping ??= stop()),
    wakeUp,
    deliveryWakeUp,
    replays,
  };
}

/** Enough connections that no attempt waits for one inside its time-out. */
function posterOf({ settings, resolver }: Pick<WebhooksDeps, 'settings' | 'resolver'>): Poster {
  const allowPrivate = settings.webhookAllowPrivate;
  return createPoster({
    allowPrivate,
    timeoutMs: settings.webhookTimeoutMs,
    connections: mostOpen({ total: settings.webhookParallelism }),
    lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
    extraCa: extraAuthorities(settings.extraCaFile),
  });
}

/** Why a URL may not be saved as an endpoint, or null. */
export function createUrlCheck(deps: {
  allowPrivate: boolean;
  resolver: DnsResolver;
}): (url: string) => Promise<string | null> {
  const resolve = resolveByDns(deps.resolver);
  return (url) => resolveAndCheck(url, { allowPrivate: deps.allowPrivate, resolve });
}
