// Wires analytics: the consumer that counts events, and the routes that show the counters.
import type { Routes } from '../http/api.js';
import { createAnalytics } from './analytics.js';
import { analyticsRoutes } from './analytics.routes.js';
import type { AnalyticsContext } from './context.js';
import type { CampaignStatistics } from './span.routes.js';

export function createAnalyticsModule(context: AnalyticsContext, campaigns: CampaignStatistics) {
  const analytics = createAnalytics(context);
  const routes: Routes[] = [(api) => analyticsRoutes(api, context, campaigns)];
  return { routes, start: () => analytics.start(), stop: () => analytics.stop() };
}
