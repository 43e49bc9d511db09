// The key or person that calls the API.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Me } from '../types.js';

export class MeResource extends Resource {
  /**
   * Returns the current API key or user with its permissions, workspace and limits. Use it to test your credentials.
   *
   * @example
   * const me = await mailkeel.me.get();
   */
  get(options?: RequestOptions): ApiPromise<Me> {
    return this.call('GET /v1/me', { options });
  }
}
