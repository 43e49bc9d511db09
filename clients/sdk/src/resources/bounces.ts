// Bounces, with the replies of the recipients' servers.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Bounce, BounceList, BounceSummary } from '../types.js';

export class Bounces extends Resource {
  /**
   * Lists bounced messages, newest first.
   *
   * @example
   * for await (const bounce of mailkeel.bounces.list({ category: 'inactive_mailbox' })) console.log(bounce.to);
   */
  list(params: Query<'bounces.list'> = {}, options?: RequestOptions): List<Bounce, BounceList> {
    return this.pages('GET /v1/bounces', { query: params, options });
  }

  /**
   * Returns bounce counts by category, mailbox provider and day. Bounces caused by the sender are counted
   * separately.
   *
   * @example
   * const summary = await mailkeel.bounces.summarize({ window_days: 7 });
   */
  summarize(params: Query<'bounces.summarize'> = {}, options?: RequestOptions): ApiPromise<BounceSummary> {
    return this.call('GET /v1/bounces/summary', { query: params, options });
  }
}
