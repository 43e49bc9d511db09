// The appliance itself.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { System } from '../types.js';

export class SystemResource extends Resource {
  /**
   * Reads the release, where the relay is, the limits, the plan, and what is new.
   *
   * @example
   * const { version } = await posthorn.system.get();
   */
  get(options?: RequestOptions): ApiPromise<System> {
    return this.call('GET /v1/system', { options });
  }
}
