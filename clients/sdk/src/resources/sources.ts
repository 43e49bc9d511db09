// Sources: the addresses and smarthosts that mail leaves by.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Source, SourceList, SourceResumeRequest, SourceSuspendRequest } from '../types.js';

export class Sources extends Resource {
  /**
   * Lists the sources with their pools, warm-up and limits. Takes a key of permission admin of the operator.
   *
   * @example
   * for await (const source of mailkeel.sources.list()) console.log(source);
   */
  list(params: Query<'sources.list'> = {}, options?: RequestOptions): List<Source, SourceList> {
    return this.pages('GET /v1/sources', { query: params, options });
  }

  /**
   * Lets no mail leave by a source or smarthost until it is resumed, or until `expires_at`.
   *
   * @example
   * await mailkeel.sources.suspend('mta-2', { reason: 'On a block list' });
   */
  suspend(name: string, params: SourceSuspendRequest, options?: RequestOptions): ApiPromise<Source> {
    return this.call('POST /v1/sources/{name}/suspend', { path: [name], body: params, options });
  }

  /**
   * Lets mail leave by a suspended source or smarthost again.
   *
   * @example
   * await mailkeel.sources.resume('mta-2');
   */
  resume(name: string, params?: SourceResumeRequest, options?: RequestOptions): ApiPromise<Source> {
    return this.call('POST /v1/sources/{name}/resume', { path: [name], body: params ?? {}, options });
  }
}
