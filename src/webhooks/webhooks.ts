// The four loops of webhooks, which meet in the store: events become deliveries, deliveries become attempts, attempts are
// recorded, and periods are replayed.
import {
  createPoster,
  guardedLookup,
  type Poster,
  resolveAndCheck,
  resolveByDns,
} from '../lib/http/index.js';
import { createLoop, createWakeUp, type Loop } from '../lib/concurrency/index.js';
import type { Config } from '../settings/settings.js';
import type { WebhookContext } from './context.js';
import { attemptDelivery } from './deliveries/attempt.js';
import { Dispatch } from './deliveries/dispatch.js';
import { fanOut, type FanOutContext } from './deliveries/fan-out.js';
import { mostOpen } from './deliveries/endpoint-queues.js';
import type { FinishedAttempt } from './deliveries/queue.store.js';
import { Replays } from './deliveries/replays.js';
import { createLruCache } from '../lib/runtime/index.js';
import { extraAuthorities } from '../lib/tls/index.js';
import { openEndpointSecrets, type EndpointSecrets } from './endpoint-secret.js';
import type { WebhookEndpoint } from './webhooks.tables.js';

const MOST_KNOWN = 10_000;

/**
 * Opens the secrets of endpoints. Caches them until the row changes, because an endpoint is used many times a second. Throws
 * SecretError if a secret does not open with the master key.
 */
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

/** Longest delay after a lost wake-up. */
const LOOK_MS = 1_000;
/** Pause between runs that only move cursors, over events without a subscriber. */
const IDLE_REST_MS = 100;
/** Interval (ms) at which a replay continues. */
const REPLAY_LOOK_MS = 500;
/** Attempts that are recorded in one transaction. */
const MAX_RECORDS = 200;

export type WebhookConfig = Pick<
  Config,
  | 'webhookScheduleMs'
  | 'webhookTimeoutMs'
  | 'webhookParallelism'
  | 'webhookDisableAfter'
  | 'webhookAllowPrivate'
  | 'extraCaFile'
>;

type DeliveryContext = Pick<
  WebhookContext,
  'store' | 'masterKey' | 'readRecords' | 'formats' | 'resolver' | 'room' | 'clock' | 'log'
> & { config: WebhookConfig };

export class Webhooks {
  /** Notify it when an event was appended to a chain. */
  readonly wakeUp = createWakeUp();
  /** Notify it when an endpoint was changed or a delivery was added. */
  readonly deliveryWakeUp = createWakeUp();
  readonly replays: Replays;
  readonly #context: DeliveryContext;
  readonly #poster: Poster;
  readonly #dispatch: Dispatch;
  readonly #recordWakeUp = createWakeUp();
  readonly #rest = createWakeUp();
  readonly #feeding: { fanOut: Loop; attempts: Loop; replays: Loop };
  readonly #recording: Loop;
  /** Attempts that are not recorded yet. */
  #finished: FinishedAttempt[] = [];
  #stopping: Promise<void> | undefined;

  constructor(context: DeliveryContext) {
    this.#context = context;
    this.#poster = createWebhookPoster(context);
    this.#dispatch = new Dispatch(context, {
      attempt: (delivery, target) => attemptDelivery(context, this.#poster, { delivery, target }),
      openSecrets: createEndpointSecrets(context.masterKey),
      onFinished: (finished) => {
        this.#finished.push(finished);
        this.#recordWakeUp.notify();
      },
    });
    const feeding = { ...context, notifyDeliveries: () => this.deliveryWakeUp.notify() };
    this.replays = new Replays(feeding);
    const { log, room } = context;
    this.#feeding = {
      replays: createLoop({
        name: 'webhook-replays',
        run: () => this.replays.run(),
        intervalMs: REPLAY_LOOK_MS,
        log,
        room,
      }),
      fanOut: createLoop({
        name: 'webhook-fan-out',
        run: (signal) => this.#fanOut(feeding, signal),
        intervalMs: LOOK_MS,
        log,
        wakeUp: this.wakeUp,
        room,
      }),
      attempts: createLoop({
        name: 'webhook-attempts',
        run: (signal) => this.#attempt(signal),
        intervalMs: LOOK_MS,
        log,
        room,
      }),
    };
    this.#recording = createLoop({
      name: 'webhook-records',
      run: () => this.#record(),
      intervalMs: LOOK_MS,
      log,
      wakeUp: this.#recordWakeUp,
    });
  }

  start(): void {
    this.#feeding.fanOut.start();
    this.#feeding.attempts.start();
    this.#recording.start();
    this.#feeding.replays.start();
  }

  /** Waits for open attempts, up to their timeout, and records them. Other deliveries stay pending. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    await Promise.all(Object.values(this.#feeding).map((loop) => loop.stop()));
    await this.#dispatch.stop();
    await this.#recording.stop();
    while (await this.#record());
    await this.#poster.close();
  }

  async #fanOut(context: FanOutContext, signal: AbortSignal): Promise<boolean> {
    const { hasMore, isUnheard } = await fanOut(context);
    // Without a subscriber, moving a cursor after every commit would be wasted.
    if (isUnheard) await this.#rest.wait(IDLE_REST_MS, signal);
    return hasMore;
  }

  async #attempt(signal: AbortSignal): Promise<true> {
    const { again, nextDueAt } = await this.#dispatch.claim();
    if (!again) {
      const waitMs = Math.min((nextDueAt ?? Infinity) - this.#context.clock(), LOOK_MS);
      await this.deliveryWakeUp.wait(waitMs, signal);
    }
    return true;
  }

  /** Records one batch of attempts. Attempts that could not be recorded stay for the next run. Returns true if more wait. */
  async #record(): Promise<boolean> {
    const { store, config, log } = this.#context;
    const batch = this.#finished.slice(0, MAX_RECORDS);
    if (batch.length === 0) return false;
    const disabled = await store.webhooks.finishAttempts(batch, config.webhookDisableAfter);
    this.#finished = this.#finished.slice(batch.length);
    this.#dispatch.recorded(batch, disabled);
    for (const endpoint_id of disabled) log.warn({ endpoint_id }, 'webhook endpoint disabled');
    this.deliveryWakeUp.notify();
    return this.#finished.length > 0;
  }
}

/** Has enough connections that no attempt waits for one during its timeout. */
function createWebhookPoster({ config, resolver }: Pick<DeliveryContext, 'config' | 'resolver'>): Poster {
  const allowPrivate = config.webhookAllowPrivate;
  return createPoster({
    allowPrivate,
    timeoutMs: config.webhookTimeoutMs,
    connections: mostOpen({ total: config.webhookParallelism }),
    lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
    extraCa: extraAuthorities(config.extraCaFile),
  });
}

/** Returns a check that says why a URL may not be saved as an endpoint, or `null`. */
export function createUrlCheck({
  config,
  resolver,
}: Pick<WebhookContext, 'resolver'> & {
  config: Pick<Config, 'webhookAllowPrivate'>;
}): WebhookContext['checkUrl'] {
  const resolve = resolveByDns(resolver);
  return (url) => resolveAndCheck(url, { allowPrivate: config.webhookAllowPrivate, resolve });
}
