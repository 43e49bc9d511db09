// Nodes: the servers that work on one PostgreSQL database.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { NodeList } from '../types.js';

export class Nodes extends Resource {
  /**
   * Lists the cluster nodes with their roles and share of the work. Empty if the server uses SQLite. Requires an
   * operator key with `admin` permission.
   *
   * @example
   * const { data: nodes } = await mailkeel.nodes.list();
   */
  list(options?: RequestOptions): ApiPromise<NodeList> {
    return this.call('GET /v1/nodes', { options });
  }
}
