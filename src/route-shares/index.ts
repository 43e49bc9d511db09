// Wires the shares of routes: their sweep, and the routes that show and change them.
import type { Routes } from '../http/api.js';
import type { Job } from '../lib/concurrency/index.js';
import type { RouteShareContext } from './context.js';
import { routeShareRoutes } from './route-shares.routes.js';
import { ShareSweep } from './share-sweep.js';

export function createRouteShares(context: RouteShareContext) {
  const sweep = new ShareSweep(context);
  const routes: Routes[] = [(api) => routeShareRoutes(api, context)];
  const jobs: Job[] = [{ name: 'route shares', at: 'hour', run: () => sweep.run() }];
  return { routes, jobs };
}
