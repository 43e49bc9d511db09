// Usage of the plan.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Usage } from '../types.js';

export class UsageResource extends Resource {
  /**
   * Reads what is used of the plan, this day and this month.
   *
   * @example
   * const usage = await posthorn.usage.get();
   */
  get(options?: RequestOptions): ApiPromise<Usage> {
    return this.call('GET /v1/usage', { options });
  }
}
