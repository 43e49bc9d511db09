// Sources: the addresses and smarthosts that mail leaves by.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Source, SourceList, SourceResumeRequest, SourceSuspendRequest } from '../types.js';

export class Sources extends Resource {
  /**
   * Lists sending sources with their pools, warm-up and limits. Requires an operator key with `admin` permission.
   *
   * @example
   * for await (const source of mailkeel.sources.list()) console.log(source);
   */
  list(params: Query<'sources.list'> = {}, options?: RequestOptions): List<Source, SourceList> {
    return this.pages('GET /v1/sources', { query: params, options });
  }

  /**
   * Suspends a source or smarthost until you resume it or until `expires_at`.
   *
   * @example
   * await mailkeel.sources.suspend('mta-2', { reason: 'On a block list' });
   */
  suspend(name: string, params: SourceSuspendRequest, options?: RequestOptions): ApiPromise<Source> {
    return this.call('POST /v1/sources/{name}/suspend', { path: [name], body: params, options });
  }

  /**
   * Resumes a suspended source or smarthost.
   *
   * @example
   * await mailkeel.sources.resume('mta-2');
   */
  resume(name: string, params?: SourceResumeRequest, options?: RequestOptions): ApiPromise<Source> {
    return this.call('POST /v1/sources/{name}/resume', { path: [name], body: params ?? {}, options });
  }
}
