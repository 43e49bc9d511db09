// Wires analytics: the consumer that counts events, with the routes that show the counters.
import type { Routes } from '../http/api.js';
import type { AnalyticStores } from './stores.js';
import { createAnalytics, type AnalyticsDeps } from './analytics.js';
import { analyticsRoutes, type AnalyticsRouteDeps } from './analytics.routes.js';

export interface AnalyticsModuleDeps extends Pick<AnalyticsDeps, 'clock' | 'log' | 'providerOf' | 'room'> {
  store: AnalyticStores;
  config: AnalyticsDeps['settings'];
  campaigns: AnalyticsRouteDeps['campaigns'];
}

export function createAnalyticsModule({
  store,
  config,
  campaigns,
  clock,
  log,
  providerOf,
  room,
}: AnalyticsModuleDeps) {
  const { statistics, consumers } = store;
  const analytics = createAnalytics({
    consumers,
    statistics,
    clock,
    log,
    settings: config,
    providerOf,
    room,
  });
  const routes: Routes[] = [(api) => analyticsRoutes(api, { store, campaigns, clock })];
  return { routes, start: () => analytics.start(), stop: () => analytics.stop() };
}
