// Analytics: delivery and engagement statistics for a period.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Analytics } from '../types.js';

export class AnalyticsResource extends Resource {
  /**
   * Returns delivery and engagement totals, rates and a time series by day or hour. Group results by tag, campaign
   * or mailbox provider.
   *
   * @example
   * const { totals } = await mailkeel.analytics.get({ window_days: 30, group_by: 'tag' });
   */
  get(params: Query<'analytics.get'> = {}, options?: RequestOptions): ApiPromise<Analytics> {
    return this.call('GET /v1/analytics', { query: params, options });
  }
}
