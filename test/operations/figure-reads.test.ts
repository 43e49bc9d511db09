// Tests how often the values of the metrics are read from the database.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { createFigures, type LiveFigures } from '../../src/operations/telemetry/figures.js';
import { Meters } from '../../src/operations/telemetry/meters.js';
import type { StoredFigures } from '../../src/operations/telemetry/metrics.store.js';

const EVERY_MS = 15_000;
const NOTHING: StoredFigures = {
  ...{ queue: [], approvals: [], inDoubt: 0, isOutboundHeld: false, inboundWaiting: 0, inboundParked: 0 },
  webhooks: { pending: 0, oldestDueAt: null },
  backups: null,
  ...{ consumerLag: [], tenants: [], heldTenants: [], dkimKeys: [], freeBytes: null },
};
let reads = 0;
let tookMs = 0;
let isAway = false;
let measure: () => Promise<void>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  reads = 0;
  const live = {
    ...{ sessions: () => [], overrides: () => [], certificateEndsAt: () => 0, statements: () => 0 },
    ...{ missedConnections: () => 0, isDamaged: () => false, node: () => null, checks: () => null },
    replica: () => null,
    growth: () => Promise.resolve(null),
  } satisfies LiveFigures;
  const figures = createFigures(
    {
      store: {
        readings: null,
        figures: async () => {
          reads += 1;
          await new Promise((resolve) => setTimeout(resolve, tookMs));
          if (isAway) throw new Error('away');
          return NOTHING;
        },
      },
      config: { backupSchedule: null, metricsReadMs: EVERY_MS },
      clock: () => 0,
      log: createLog('silent'),
    },
    live,
    '',
  );
  const meters = new Meters();
  measure = () => figures(meters);
});
afterEach(() => vi.useRealTimers());

/** A scrape, and the end of the read that it began. */
async function scrape(): Promise<number> {
  const measured = measure();
  await vi.advanceTimersByTimeAsync(tookMs + 1_000);
  await measured;
  return reads;
}

it('a failed read is repeated as soon as any other, however long it took', async () => {
  [tookMs, isAway] = [35_000, true];
  expect(await scrape()).toBe(1);
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(await scrape()).toBe(2);
});

it('a slow read is repeated after a minute at most', async () => {
  [tookMs, isAway] = [4_000, false];
  expect(await scrape()).toBe(1);
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(await scrape()).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await scrape()).toBe(2);
});
