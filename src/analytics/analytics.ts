// The analytics consumer: reads the event chains with a cursor and adds their events to the counters.
import { createWakeUp } from '../lib/runtime/wake-up.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Log } from '../lib/runtime/log.js';
import { createLoop, type Loop } from '../lib/runtime/loop.js';
import type { Room } from '../lib/runtime/room.js';
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
  /** The mail provider of a domain; null while unknown. */
  providerOf: (domain: string) => string | null;
  /** Of several nodes one counts. */
  room?: Room | undefined;
}

/**
 * Polls the chains by an interval instead of a wake-up: with one run for many events it costs next to nothing while
 * mail is accepted. With more to do than one run takes, as after an upgrade, it rests between runs.
 */
export function createAnalytics({
  consumers,
  statistics,
  clock,
  log,
  settings,
  providerOf,
  room,
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
    room,
    log,
  });
}
