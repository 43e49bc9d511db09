// The analytics consumer: reads the event chains with a cursor and adds their events to the counters.
import { createWakeUp } from '../lib/runtime/wake-up.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Log } from '../lib/runtime/log.js';
import { createLoop, type Loop } from '../lib/runtime/loop.js';
import { createConsumer, type ConsumerStore } from '../events/consumers.store.js';
import type { StatisticsStore } from './statistics.store.js';
import { createCountEvents } from './count-events.js';

/** Events of one chain in one transaction: some 10 ms of work between two turns of the event loop. */
const BATCH = 1_000;
/** Of a backlog it counts a third of the time, so that mail is accepted meanwhile. */
const RESTS = 2;
const LONGEST_REST_MS = 500;

export interface AnalyticsDeps {
  consumers: ConsumerStore;
  statistics: StatisticsStore;
  clock: Clock;
  log: Log;
  settings: { rollupIntervalMs: number };
  /** Who runs a domain's mail servers; null while nobody knows. */
  providerOf: (domain: string) => string | null;
}

/**
 * Looks at the chains by the interval and not by a bell: with one beat for many events it costs next to nothing while
 * mail is accepted. With more to do than one beat takes, as after an upgrade, it rests between beats.
 */
export function createAnalytics({
  consumers,
  statistics,
  clock,
  log,
  settings,
  providerOf,
}: AnalyticsDeps): Loop {
  const consume = createConsumer({
    name: 'statistics',
    consumers,
    batch: BATCH,
    take: createCountEvents(statistics, providerOf),
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
    intervalMs: settings.rollupIntervalMs,
    log,
  });
}
