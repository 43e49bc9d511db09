// Routes: delivery routes set by the operator, which take precedence over the egress file.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Route, RouteChange, RouteDeleted, RouteList, RouteRequest } from '../types.js';

export class Routes extends Resource {
  /**
   * Lists routes in order of precedence, newest first.
   *
   * @example
   * for await (const { via, reason } of mailkeel.routes.list()) console.log(via, reason);
   */
  list(params: Query<'routes.list'> = {}, options?: RequestOptions): List<Route, RouteList> {
    return this.pages('GET /v1/routes', { query: params, options });
  }

  /**
   * Creates a route, which applies immediately to new and queued messages. With `dry_run`, only counts the matching
   * queued messages.
   *
   * @example
   * const wish = { domains: ['example.com'], via: ['pool:reserve'], reason: 'Blocked elsewhere' };
   * const { matched } = await mailkeel.routes.create({ ...wish, dry_run: true });
   * await mailkeel.routes.create(wish);
   */
  create(params: RouteRequest, options?: RequestOptions): ApiPromise<RouteChange> {
    return this.call('POST /v1/routes', { body: params, options });
  }

  /**
   * Deletes a route. Its messages use the remaining routes again.
   *
   * @example
   * await mailkeel.routes.delete('rte_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<RouteDeleted> {
    return this.call('DELETE /v1/routes/{id}', { path: [id], options });
  }
}
