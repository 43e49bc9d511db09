// Bulk sender rules: what large providers ask of senders, and how the workspace's own mail stands.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { BulkRules as BulkRulesReport } from '../types.js';

export class BulkRules extends Resource {
  /**
   * Checks the workspace's own mail against what Google, Yahoo and Microsoft ask of bulk senders. A key of a sub-tenant gets that one's.
   *
   * @example
   * const { status, data } = await mailkeel.bulkRules.get();
   */
  get(options?: RequestOptions): ApiPromise<BulkRulesReport> {
    return this.call('GET /v1/bulk-rules', { options });
  }
}
