// Wires analytics: the consumer that counts events, and the routes that show the counters.
import type { Routes } from '../http/api.js';
import { analyticsRoutes } from './analytics.routes.js';
import type { AnalyticsContext } from './context.js';
import type { CampaignStatistics } from './span.routes.js';
import { createLoop, createWakeUp, type Loop } from '../lib/concurrency/index.js';
import { createConsumer } from '../events/consumers.store.js';
import type { AnalyticStores } from './stores.js';
import { createCountEvents } from './count-events.js';

export function createAnalyticsModule(context: AnalyticsContext, campaigns: CampaignStatistics) {
  const analytics = createAnalytics(context);
  const routes: Routes[] = [(api) => analyticsRoutes(api, context, campaigns)];
  return { routes, start: () => analytics.start(), stop: () => analytics.stop() };
}

/** Events of one chain in one transaction, which takes about 10 ms. */
const BATCH = 1_000;
/** Rests relative to the duration of a run, so that counting a backlog takes a third of the time. */
const RESTS = 2;
const LONGEST_REST_MS = 500;

/**
 * Polls the chains at an interval instead of using a wake-up, so that one run counts many events. With a backlog, for example
 * after an upgrade, it rests between runs.
 */
export function createAnalytics({
  store,
  config,
  providerOf,
  room,
  clock,
  log,
}: Omit<AnalyticsContext, 'store'> & {
  store: Pick<AnalyticStores, 'consumers' | 'statistics'>;
}): Loop {
  const consume = createConsumer({
    name: 'statistics',
    consumers: store.consumers,
    batch: BATCH,
    take: createCountEvents(store.statistics, providerOf),
  });
  const rest = createWakeUp();
  return createLoop({
    name: 'statistics',
    async run(signal) {
      const startedAt = clock();
      const hasMore = await consume(signal);
      if (hasMore) await rest.wait(Math.min(RESTS * (clock() - startedAt), LONGEST_REST_MS), signal);
      return hasMore;
    },
    intervalMs: config.rollupIntervalMs,
    room,
    log,
  });
}
