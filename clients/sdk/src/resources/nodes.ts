// Nodes: the servers that work on one PostgreSQL database.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { NodeList } from '../types.js';

export class Nodes extends Resource {
  /**
   * Lists the nodes with their roles and their share of the work; none where SQLite keeps the data. Takes a key of permission
   * admin of the operator.
   *
   * @example
   * const { data: nodes } = await mailkeel.nodes.list();
   */
  list(options?: RequestOptions): ApiPromise<NodeList> {
    return this.call('GET /v1/nodes', { options });
  }
}
