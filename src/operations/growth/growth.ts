// Samples the sizes once a day, measures the largest tables once a week, and forecasts growth.
import type { Job } from '../../lib/concurrency/index.js';
import { freeDiskBytes } from '../../lib/files/index.js';
import { measureTables } from '../../database/engine/file-tasks.js';
import type { Config } from '../../settings/settings.js';
import type { OperationContext } from '../context.js';
import type { OperationStores } from '../stores.js';
import { DAY_MS, forecast, type Forecast } from './growth.rules.js';
import { growthDay, type StoredGrowth } from './growth.store.js';

/** The measurement reads the whole file in a low-priority thread. */
const MEASURE_EVERY_MS = 7 * DAY_MS;

export interface Growth extends Pick<StoredGrowth, 'largest'> {
  forecast: Forecast;
}

type GrowthSettings = Pick<Config, 'dataDir' | 'minFreeDiskBytes'>;

/** Returns `null` if a database server stores the rows. */
export async function growthNow(
  store: Pick<OperationStores, 'growth'>,
  { dataDir, minFreeDiskBytes }: GrowthSettings,
  now: number,
): Promise<Growth | null> {
  const { file, samples, largest } = await store.growth();
  if (file === null) return null;
  const current = {
    fileBytes: file.bytes,
    freeBytes: file.freeBytes,
    logBytes: file.logBytes,
    diskFreeBytes: await freeDiskBytes(dataDir),
  };
  return { forecast: forecast(samples, current, { minFreeBytes: minFreeDiskBytes, now }), largest };
}

export function growthJob(
  {
    store,
    config,
    clock,
  }: Pick<OperationContext, 'clock'> & {
    store: Pick<OperationStores, 'growth' | 'growthSamples'>;
    config: Pick<Config, 'dataDir'>;
  },
  databaseFile: string,
): Job {
  const stopping = new AbortController();
  return {
    name: 'growth',
    at: 'hour',
    async run() {
      const { file, samples, measuredAt } = await store.growth();
      if (file === null) return;
      const now = clock();
      const day = growthDay(now);
      if (samples.at(-1)?.day !== day) {
        await store.growthSamples.add({
          day,
          taken_at: now,
          file_bytes: file.bytes,
          free_bytes: file.freeBytes,
          log_bytes: file.logBytes,
          disk_free_bytes: await freeDiskBytes(config.dataDir),
        });
      }
      if (measuredAt !== null && Math.abs(now - measuredAt) < MEASURE_EVERY_MS) return;
      const sizes = await measureTables(databaseFile, stopping.signal).catch((error: unknown) => {
        if (stopping.signal.aborted) return null;
        throw error;
      });
      if (sizes !== null) await store.growthSamples.replaceTableSizes(sizes, clock());
    },
    stop: () => stopping.abort(),
  };
}
