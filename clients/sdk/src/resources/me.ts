// The caller: the key or person that asks.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Me } from '../types.js';

export class MeResource extends Resource {
  /**
   * Reads who is asking: the key or the person, what it may do, where, and the limits. A good first call.
   *
   * @example
   * const me = await mailkeel.me.get();
   */
  get(options?: RequestOptions): ApiPromise<Me> {
    return this.call('GET /v1/me', { options });
  }
}
