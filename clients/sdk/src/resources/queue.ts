// The delivery queue.
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
   * Returns the size and age of the queue. The data may be a few seconds old.
   *
   * @example
   * const queue = await mailkeel.queue.get();
   */
  get(options?: RequestOptions): ApiPromise<Queue> {
    return this.call('GET /v1/queue', { options });
  }

  /**
   * Lists queued messages by recipient domain, longest queue first.
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
   * Retries all deferred messages to a domain now.
   *
   * @example
   * await mailkeel.queue.retryDestination('example.com');
   */
  retryDestination(domain: string, options?: RequestOptions): ApiPromise<QueueRetry> {
    return this.call('POST /v1/queue/destinations/{domain}/retry', { path: [domain], options });
  }

  /**
   * Returns delivery attempts to a domain since `after`, with their SMTP conversations. The first call starts the
   * trace.
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
   * Cancels or bounces queued messages that match a filter. With `dry_run`, only counts the matches.
   *
   * @example
   * const { matched } = await mailkeel.queue.purge({ action: 'cancel', domain: 'example.com', dry_run: true });
   * await mailkeel.queue.purge({ action: 'cancel', domain: 'example.com', dry_run: false });
   */
  purge(params: QueuePurgeRequest, options?: RequestOptions): ApiPromise<QueuePurge> {
    return this.call('POST /v1/queue/purge', { body: params, options });
  }

  /**
   * Pauses delivery to a domain. New messages are accepted and queued until you resume it.
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
   * Resumes delivery to a paused domain.
   *
   * @example
   * await mailkeel.queue.resumeDestination('example.com');
   */
  resumeDestination(domain: string, options?: RequestOptions): ApiPromise<QueueDestination> {
    return this.call('POST /v1/queue/destinations/{domain}/resume', { path: [domain], options });
  }

  /**
   * Lists the limits set by replies from recipient servers.
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
   * Removes a limit before it expires. Requires a live operator key with `admin` permission.
   *
   * @example
   * await mailkeel.queue.deleteOverride('ovr_01kdyak3se4w5amvgkazjzkvb7');
   */
  deleteOverride(id: string, options?: RequestOptions): ApiPromise<QueueOverrideDeleted> {
    return this.call('DELETE /v1/queue/overrides/{id}', { path: [id], options });
  }
}
