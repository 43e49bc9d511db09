// Bulk sender rules: the requirements of large mailbox providers, and whether the workspace's own mail meets them.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { BulkRules as BulkRulesReport } from '../types.js';

export class BulkRules extends Resource {
  /**
   * Checks the workspace's own mail against the bulk sender requirements of Google, Yahoo and Microsoft. With a
   * sub-tenant key, checks the mail of that sub-tenant.
   *
   * @example
   * const { status, data } = await mailkeel.bulkRules.get();
   */
  get(options?: RequestOptions): ApiPromise<BulkRulesReport> {
    return this.call('GET /v1/bulk-rules', { options });
  }
}
