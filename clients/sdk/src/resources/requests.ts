// The request log of the API, a sample.
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Request, RequestList } from '../types.js';

export class Requests extends Resource {
  /**
   * Lists API requests, newest first.
   *
   * @example
   * for await (const request of mailkeel.requests.list({ status: '4xx' })) console.log(request.path);
   */
  list(params: Query<'requests.list'> = {}, options?: RequestOptions): List<Request, RequestList> {
    return this.pages('GET /v1/requests', { query: params, options });
  }
}
