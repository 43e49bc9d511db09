// The queue: what waits, for whom, and why.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  DestinationTrace,
  Queue,
  QueueDestination,
  QueueDestinationList,
  QueueDestinationPause,
  QueueOverride,
  QueueOverrideDeleted,
  QueueOverrideList,
  QueuePurge,
  QueuePurgeRequest,
  QueueRetry,
} from '../types.js';

export class QueueResource extends Resource {
  /**
   * Reads how much waits, and since when. At most some seconds old.
   *
   * @example
   * const queue = await mailkeel.queue.get();
   */
  get(options?: RequestOptions): ApiPromise<Queue> {
    return this.call('GET /v1/queue', { options });
  }

  /**
   * Lists what waits by recipient domain, the deepest first.
   *
   * @example
   * for await (const { domain } of mailkeel.queue.listDestinations()) console.log(domain);
   */
  listDestinations(
    params: Query<'queue.listDestinations'> = {},
    options?: RequestOptions,
  ): List<QueueDestination, QueueDestinationList> {
    return this.pages('GET /v1/queue/destinations', { query: params, options });
  }

  /**
   * Tries all deferred mail for a domain now.
   *
   * @example
   * await mailkeel.queue.retryDestination('example.com');
   */
  retryDestination(domain: string, options?: RequestOptions): ApiPromise<QueueRetry> {
    return this.call('POST /v1/queue/destinations/{domain}/retry', { path: [domain], options });
  }

  /**
   * Reads the attempts to a domain since `after`, with their SMTP conversations. The first question begins the trace.
   *
   * @example
   * const { data, next } = await mailkeel.queue.traceDestination('example.com');
   * await mailkeel.queue.traceDestination('example.com', { after: next });
   */
  traceDestination(
    domain: string,
    params: Query<'queue.traceDestination'> = {},
    options?: RequestOptions,
  ): ApiPromise<DestinationTrace> {
    return this.call('GET /v1/queue/destinations/{domain}/trace', { path: [domain], query: params, options });
  }

  /**
   * Cancels or bounces waiting mail by a filter. With `dry_run` it counts what fits.
   *
   * @example
   * const { matched } = await mailkeel.queue.purge({ action: 'cancel', domain: 'example.com', dry_run: true });
   * await mailkeel.queue.purge({ action: 'cancel', domain: 'example.com', dry_run: false });
   */
  purge(params: QueuePurgeRequest, options?: RequestOptions): ApiPromise<QueuePurge> {
    return this.call('POST /v1/queue/purge', { body: params, options });
  }

  /**
   * Lets no more mail go to a domain until it is resumed; mail is accepted and waits.
   *
   * @example
   * await mailkeel.queue.pauseDestination('example.com');
   */
  pauseDestination(
    domain: string,
    params?: QueueDestinationPause,
    options?: RequestOptions,
  ): ApiPromise<QueueDestination> {
    return this.call('POST /v1/queue/destinations/{domain}/pause', {
      path: [domain],
      body: params ?? {},
      options,
    });
  }

  /**
   * Lets mail go to a paused domain again.
   *
   * @example
   * await mailkeel.queue.resumeDestination('example.com');
   */
  resumeDestination(domain: string, options?: RequestOptions): ApiPromise<QueueDestination> {
    return this.call('POST /v1/queue/destinations/{domain}/resume', { path: [domain], options });
  }

  /**
   * Lists the limits that mail hosts have set by their replies.
   *
   * @example
   * const overrides = await mailkeel.queue.listOverrides();
   */
  listOverrides(
    params: Query<'queue.listOverrides'> = {},
    options?: RequestOptions,
  ): List<QueueOverride, QueueOverrideList> {
    return this.pages('GET /v1/queue/overrides', { query: params, options });
  }

  /**
   * Lifts a limit before its time. Takes a live key of permission admin of the operator.
   *
   * @example
   * await mailkeel.queue.deleteOverride('ovr_01kdyak3se4w5amvgkazjzkvb7');
   */
  deleteOverride(id: string, options?: RequestOptions): ApiPromise<QueueOverrideDeleted> {
    return this.call('DELETE /v1/queue/overrides/{id}', { path: [id], options });
  }
}
