// Claims due deliveries and starts attempts, as many as the pace of each endpoint and the total allow. Endpoints take turns, so
// that a slow or busy endpoint does not delay the others.
import type { Clock, Log } from '../../lib/runtime/index.js';
import { createFairQueue, isOurs } from '../../lib/concurrency/index.js';
import type { Config } from '../../settings/settings.js';
import type { WebhookContext } from '../context.js';
import type { FinishedAttempt } from './queue.store.js';
import type { MadeAttempt, Target } from './attempt.js';
import type { EndpointSecrets } from '../endpoint-secret.js';
import { createEndpointQueues } from './endpoint-queues.js';
import { LEASE_MARGIN_MS, webhookLeaseMs } from './lease.rules.js';
import type { WebhookDelivery, WebhookEndpoint } from '../webhooks.tables.js';

/** Most attempts that are open to one endpoint. */
const MAX_PER_ENDPOINT = 32;
/** An attempt without a response after this time gives up its place to other endpoints. */
const LONG_WAIT_MS = 250;

type DispatchContext = Pick<WebhookContext, 'store' | 'room' | 'clock' | 'log'> & {
  config: Pick<Config, 'webhookParallelism' | 'webhookTimeoutMs'>;
};

interface DispatchWork {
  attempt: (delivery: WebhookDelivery, target: Target) => Promise<MadeAttempt>;
  openSecrets: (endpoint: WebhookEndpoint) => EndpointSecrets;
  onFinished: (finished: FinishedAttempt) => void;
}

export class Dispatch {
  readonly #webhooks: DispatchContext['store']['webhooks'];
  readonly #room: DispatchContext['room'];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #timeoutMs: number;
  readonly #work: DispatchWork;
  readonly #queues: ReturnType<typeof createEndpointQueues>;
  readonly #line = createFairQueue<WebhookDelivery>({ total: Infinity, perOwner: Infinity });
  readonly #open = new Set<Promise<void>>();
  readonly #unreadable = new Set<string>();
  #waitingIds = new Set<string>();
  #isStopping = false;

  constructor({ store, room, clock, log, config }: DispatchContext, work: DispatchWork) {
    const total = config.webhookParallelism;
    this.#webhooks = store.webhooks;
    this.#room = room;
    this.#clock = clock;
    this.#log = log;
    this.#timeoutMs = config.webhookTimeoutMs;
    this.#work = work;
    this.#queues = createEndpointQueues({
      total,
      perEndpoint: Math.min(Math.max(Math.ceil(total / 4), 1), MAX_PER_ENDPOINT),
    });
  }

  /** Claims due deliveries. `again` is true if there may be more; `nextDueAt` is the time of the next retry. */
  async claim(): Promise<{ again: boolean; nextDueAt: number | null }> {
    const due = await this.#webhooks.dueEndpoints(this.#clock(), (number) => isOurs(this.#room, number));
    const targets = due.endpoints.flatMap((endpoint) => this.#readTarget(endpoint));
    // Deliveries in the line are due, so an endpoint that is not listed was disabled, deleted or moved to another node.
    const listed = new Set(targets.map(({ endpointId }) => endpointId));
    await this.#drop([...this.#waitingIds].filter((id) => !listed.has(id)));
    const claimed = await Promise.all(targets.map(({ endpointId }) => this.#claimOf(endpointId)));
    this.#pump();
    this.#queues.forgetIdle();
    return { again: claimed.some(Boolean), nextDueAt: due.nextDueAt };
  }

  /** Call it after attempts were recorded. More may start, except to endpoints that this disabled. */
  recorded(finished: readonly FinishedAttempt[], disabledEndpoints: readonly string[]): void {
    for (const { endpointId } of finished) this.#queues.release(endpointId, 1);
    if (disabledEndpoints.length > 0) this.#track(this.#drop(disabledEndpoints));
  }

  /** Releases waiting deliveries, and resolves when the open attempts have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const waiting = this.#line.drain();
    if (waiting.length > 0) await this.#release(waiting);
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  /** Returns nothing for an endpoint whose secret cannot be opened. Its deliveries wait until that is fixed. */
  #readTarget(endpoint: WebhookEndpoint): Target[] {
    try {
      const { id: endpointId, url, format } = endpoint;
      const target = { endpointId, url, format, secrets: this.#work.openSecrets(endpoint) };
      this.#queues.meet(target, endpoint.consecutive_failures);
      this.#unreadable.delete(endpoint.id);
      return [target];
    } catch (error) {
      if (!this.#unreadable.has(endpoint.id)) {
        this.#log.error({ err: error, endpoint_id: endpoint.id }, 'webhook secret not readable');
      }
      this.#unreadable.add(endpoint.id);
      return [];
    }
  }

  /** Returns true if as many deliveries were claimed as were wanted. */
  async #claimOf(endpointId: string): Promise<boolean> {
    const wanted = this.#queues.wanted(endpointId);
    if (wanted === 0 || this.#isStopping) return false;
    const now = this.#clock();
    const leaseUntil = now + webhookLeaseMs(this.#timeoutMs);
    const deliveries = await this.#webhooks.claimDeliveries(endpointId, now, leaseUntil, wanted);
    this.#queues.hold(endpointId, deliveries.length);
    if (deliveries.length > 0) this.#waitingIds.add(endpointId);
    for (const delivery of deliveries) this.#line.push(endpointId, delivery);
    return deliveries.length === wanted;
  }

  #pump(): void {
    const late: WebhookDelivery[] = [];
    while (!this.#isStopping) {
      const next = this.#line.take((id) => this.#queues.mayOpen(id), 1);
      const delivery = next?.items[0];
      if (!next || !delivery) break;
      const endsAt = this.#clock() + this.#timeoutMs + LEASE_MARGIN_MS;
      if (endsAt > (delivery.lease_until ?? 0)) late.push(delivery);
      else this.#start(next.owner, delivery);
    }
    if (late.length > 0) this.#track(this.#release(late));
  }

  #start(endpointId: string, delivery: WebhookDelivery): void {
    const ticket = this.#queues.open(endpointId);
    const longWait = setTimeout(() => {
      if (this.#queues.waitsLong(ticket)) this.#pump();
    }, LONG_WAIT_MS);
    const end = this.#work.attempt(delivery, ticket.target).then(
      (made) => {
        clearTimeout(longWait);
        this.#queues.closed(ticket, made);
        this.#work.onFinished(made.finished);
      },
      (error: unknown) => {
        clearTimeout(longWait);
        // The delivery is attempted again when its lease expires.
        this.#log.error(
          { err: error, delivery_id: delivery.public_id },
          'webhook attempt failed with an internal error',
        );
        this.#queues.closed(ticket, null);
        this.#queues.release(endpointId, 1);
      },
    );
    this.#track(end.then(() => this.#pump()));
  }

  #track(work: Promise<void>): void {
    const tracked = work.catch((error: unknown) =>
      this.#log.error({ err: error }, 'webhook dispatch failed'),
    );
    this.#open.add(tracked);
    void tracked.then(() => this.#open.delete(tracked));
  }

  async #release(deliveries: readonly WebhookDelivery[]): Promise<void> {
    for (const delivery of deliveries) this.#queues.release(delivery.endpoint_id, 1);
    await this.#webhooks.releaseDeliveries(deliveries);
  }

  /** Releases the waiting deliveries of these endpoints. */
  async #drop(endpointIds: readonly string[]): Promise<void> {
    const dropped = endpointIds.flatMap(
      (id) => this.#line.take((owner) => owner === id, Infinity)?.items ?? [],
    );
    this.#waitingIds = new Set([...this.#waitingIds].filter((id) => !endpointIds.includes(id)));
    if (dropped.length > 0) await this.#release(dropped);
  }
}
