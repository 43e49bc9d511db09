// Sources: the addresses and smarthosts that mail leaves by.
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Source, SourceList } from '../types.js';

export class Sources extends Resource {
  /**
   * Lists the sources with their pools, warm-up and limits. Takes a key of permission admin of the operator.
   *
   * @example
   * for await (const source of posthorn.sources.list()) console.log(source);
   */
  list(params: Query<'sources.list'> = {}, options?: RequestOptions): List<Source, SourceList> {
    return this.pages('GET /v1/sources', { query: params, options });
  }
}
