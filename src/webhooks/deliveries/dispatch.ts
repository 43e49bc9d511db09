// Claims due deliveries endpoint by endpoint and keeps as many attempts open as the endpoints' paces and the whole
// allow. Endpoints take turns, so that one with many deliveries, or a slow one, delays no other.
import type { Clock } from '../../lib/runtime/clock.js';
import { createFairQueue } from '../../lib/runtime/fair-queue.js';
import type { Log } from '../../lib/runtime/log.js';
import { isOurs, type DividedRoom } from '../../lib/runtime/room.js';
import type { WebhookStores } from '../stores.js';
import type { FinishedAttempt } from './queue.store.js';
import type { Attempt, Target } from './attempt.js';
import type { EndpointSecrets } from '../endpoint-secret.js';
import { createEndpointQueues, type EndpointQueueLimits } from './endpoint-queues.js';
import { LEASE_MARGIN_MS, webhookLeaseMs } from './lease.rules.js';
import type { WebhookDelivery, WebhookEndpoint } from '../webhooks.tables.js';

/** An attempt without an answer after this time keeps no other endpoint waiting. */
const LONG_WAIT_MS = 250;

export interface DispatchDeps {
  store: Pick<WebhookStores, 'webhooks'>;
  /** Of several nodes one makes the attempts of a workspace. */
  room?: DividedRoom | undefined;
  clock: Clock;
  log: Log;
  attempt: Attempt;
  limits: EndpointQueueLimits;
  /** Longest time of one attempt. */
  timeoutMs: number;
  openSecrets: (endpoint: WebhookEndpoint) => EndpointSecrets;
  onFinished: (finished: FinishedAttempt) => void;
}

export interface Dispatch {
  /** Claims what is due. `again` is true when more may be; `nextDueAt` is when the next retry is. */
  claim(): Promise<{ again: boolean; nextDueAt: number | null }>;
  /** Attempts were recorded: more may start, except to endpoints that this disabled. */
  recorded(finished: readonly FinishedAttempt[], disabledEndpoints: readonly string[]): void;
  /** Gives back what waits; resolves when the open attempts have ended. */
  stop(): Promise<void>;
}

export function createDispatch(deps: DispatchDeps): Dispatch {
  const { store, room, clock, log, timeoutMs } = deps;
  const leaseMs = webhookLeaseMs(timeoutMs);
  const queues = createEndpointQueues(deps.limits);
  const line = createFairQueue<WebhookDelivery>({ total: Infinity, perOwner: Infinity });
  const open = new Set<Promise<void>>();
  const unreadable = new Set<string>();
  let waitingIds = new Set<string>();
  let isStopping = false;

  async function claim(): ReturnType<Dispatch['claim']> {
    const due = await store.webhooks.dueEndpoints(clock(), (number) => isOurs(room, number));
    const targets = due.endpoints.flatMap((endpoint) => targetOf(endpoint));
    // Deliveries that wait here are due, so an endpoint that is not listed was disabled or deleted, or is another node's now.
    const listed = new Set(targets.map(({ endpointId }) => endpointId));
    await drop([...waitingIds].filter((id) => !listed.has(id)));
    const claimed = await Promise.all(targets.map(({ endpointId }) => claimOf(endpointId)));
    pump();
    queues.forgetIdle();
    return { again: claimed.some(Boolean), nextDueAt: due.nextDueAt };
  }

  /** True when it had as many as were asked for. */
  async function claimOf(endpointId: string): Promise<boolean> {
    const wanted = queues.wanted(endpointId);
    if (wanted === 0 || isStopping) return false;
    const now = clock();
    const deliveries = await store.webhooks.claimDeliveries(endpointId, now, now + leaseMs, wanted);
    queues.hold(endpointId, deliveries.length);
    if (deliveries.length > 0) waitingIds.add(endpointId);
    for (const delivery of deliveries) line.push(endpointId, delivery);
    return deliveries.length === wanted;
  }

  /** Nothing for an endpoint whose secret does not open: its deliveries wait until that is put right. */
  function targetOf(endpoint: WebhookEndpoint): Target[] {
    try {
      const { id: endpointId, url, format } = endpoint;
      const target = { endpointId, url, format, secrets: deps.openSecrets(endpoint) };
      queues.meet(target, endpoint.consecutive_failures);
      unreadable.delete(endpoint.id);
      return [target];
    } catch (error) {
      if (!unreadable.has(endpoint.id)) {
        log.error({ err: error, endpoint_id: endpoint.id }, 'webhook secret not readable');
      }
      unreadable.add(endpoint.id);
      return [];
    }
  }

  function pump(): void {
    const late: WebhookDelivery[] = [];
    while (!isStopping) {
      const next = line.take((id) => queues.mayOpen(id), 1);
      const delivery = next?.items[0];
      if (!next || !delivery) break;
      if (clock() + timeoutMs + LEASE_MARGIN_MS > (delivery.lease_until ?? 0)) late.push(delivery);
      else start(next.owner, delivery);
    }
    if (late.length > 0) track(release(late));
  }

  function start(endpointId: string, delivery: WebhookDelivery): void {
    const ticket = queues.open(endpointId);
    const longWait = setTimeout(() => {
      if (queues.waitsLong(ticket)) pump();
    }, LONG_WAIT_MS);
    const end = deps.attempt(delivery, ticket.target).then(
      (made) => {
        clearTimeout(longWait);
        queues.closed(ticket, made);
        deps.onFinished(made.finished);
      },
      (error: unknown) => {
        clearTimeout(longWait);
        // Its lease runs out and it is attempted again.
        log.error(
          { err: error, delivery_id: delivery.public_id },
          'webhook attempt failed with an internal error',
        );
        queues.closed(ticket, null);
        queues.release(endpointId, 1);
      },
    );
    track(end.then(pump));
  }

  function track(work: Promise<void>): void {
    const tracked = work.catch((error: unknown) => log.error({ err: error }, 'webhook dispatch failed'));
    open.add(tracked);
    void tracked.then(() => open.delete(tracked));
  }

  async function release(deliveries: readonly WebhookDelivery[]): Promise<void> {
    for (const delivery of deliveries) queues.release(delivery.endpoint_id, 1);
    await store.webhooks.releaseDeliveries(deliveries);
  }

  /** Starts nothing more of these endpoints; what waits is given back. */
  async function drop(endpointIds: readonly string[]): Promise<void> {
    const dropped = endpointIds.flatMap((id) => line.take((owner) => owner === id, Infinity)?.items ?? []);
    waitingIds = new Set([...waitingIds].filter((id) => !endpointIds.includes(id)));
    if (dropped.length > 0) await release(dropped);
  }

  return {
    claim,
    recorded(finished, disabledEndpoints) {
      for (const { endpointId } of finished) queues.release(endpointId, 1);
      if (disabledEndpoints.length > 0) track(drop(disabledEndpoints));
    },
    async stop() {
      isStopping = true;
      const waiting = line.drain();
      if (waiting.length > 0) await release(waiting);
      while (open.size > 0) await Promise.all(open);
    },
  };
}
