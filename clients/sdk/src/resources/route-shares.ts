// Route shares: the percentage of a route's mail that leaves directly, while the rest leaves through a smarthost.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { RouteShare, RouteShareList, RouteShareUpdate } from '../types.js';

export class RouteShares extends Resource {
  /**
   * Lists route shares with the figures of both sides. Requires an operator key with `admin` permission.
   *
   * @example
   * for await (const { route, percent } of mailkeel.routeShares.list()) console.log(route, percent);
   */
  list(params: Query<'routeShares.list'> = {}, options?: RequestOptions): List<RouteShare, RouteShareList> {
    return this.pages('GET /v1/route-shares', { query: params, options });
  }

  /**
   * Retrieves the share of a route, by the route's name or ID.
   *
   * @example
   * const { direct, smarthost } = await mailkeel.routeShares.get('leaving', { window_days: 30 });
   * console.log(direct.rates.bounce, smarthost.rates.bounce);
   */
  get(
    route: string,
    params: Query<'routeShares.get'> = {},
    options?: RequestOptions,
  ): ApiPromise<RouteShare> {
    return this.call('GET /v1/route-shares/{route}', { path: [route], query: params, options });
  }

  /**
   * Changes a share, or pauses or resumes its rise.
   *
   * @example
   * await mailkeel.routeShares.update('leaving', { percent: 25, reason: 'No complaints last week' });
   */
  update(route: string, params: RouteShareUpdate, options?: RequestOptions): ApiPromise<RouteShare> {
    return this.call('PATCH /v1/route-shares/{route}', { path: [route], body: params, options });
  }
}
