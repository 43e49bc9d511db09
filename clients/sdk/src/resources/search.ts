// Search over everything of the workspace.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Search } from '../types.js';

export class SearchResource extends Resource {
  /**
   * Searches messages, contacts and other objects by text or ID. Returns a few results of each type.
   *
   * @example
   * const { data } = await mailkeel.search.find({ q: 'ann@example.com' });
   */
  find(params: Query<'search.find'>, options?: RequestOptions): ApiPromise<Search> {
    return this.call('GET /v1/search', { query: params, options });
  }
}
