// Usage of the plan.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { ApiKeyUsage, ApiKeyUsageList, Usage } from '../types.js';

export class UsageResource extends Resource {
  /**
   * Returns the plan usage of the current day and month.
   *
   * @example
   * const usage = await mailkeel.usage.get();
   */
  get(options?: RequestOptions): ApiPromise<Usage> {
    return this.call('GET /v1/usage', { options });
  }

  /**
   * Lists the number of messages per day for each API key of the workspace.
   *
   * @example
   * for await (const key of mailkeel.usage.listApiKeys({ days: 30 })) console.log(key);
   */
  listApiKeys(
    params: Query<'usage.listApiKeys'> = {},
    options?: RequestOptions,
  ): List<ApiKeyUsage, ApiKeyUsageList> {
    return this.pages('GET /v1/usage/api-keys', { query: params, options });
  }
}
