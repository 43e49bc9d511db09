// Daily samples of the sizes, and the sizes of the tables.
import type { Committer } from '../../database/committer.js';
import type { Engine, FileSize } from '../../database/engine/engine.js';
import type { TableSize } from '../../database/engine/file-port.js';
import { DAY_MS, TREND_DAYS } from './growth.rules.js';
import type { GrowthSample, growthSamples, tableSizes } from './growth.tables.js';
import type { TablesOf } from '../../database/columns.js';

type Known = TablesOf<typeof growthSamples | typeof tableSizes>;

/** Number of tables whose sizes are stored: the largest. */
const LARGEST = 8;

/** Keeps the first sample of each day, so that samples are a day apart. */
const INSERT_SAMPLE = `INSERT INTO growth_samples (day, taken_at, file_bytes, free_bytes, log_bytes, disk_free_bytes)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (day) DO NOTHING`;
/** Includes samples of a clock that was ahead. */
const DROP_SAMPLES = 'DELETE FROM growth_samples WHERE day < ? OR day > ?';

export interface StoredGrowth {
  /** `null` if a database server stores the rows, because Mailkeel cannot measure its disk. */
  file: FileSize | null;
  samples: GrowthSample[];
  /** Largest first. Empty before the first measurement. */
  largest: TableSize[];
  /** Epoch ms. */
  measuredAt: number | null;
}

/** Reads within the caller's read transaction, if there is one. */
export async function storedGrowth(engine: Engine): Promise<StoredGrowth> {
  const samples = await engine.read
    .$extendTables<Known>()
    .selectFrom('growth_samples')
    .selectAll()
    .orderBy('day')
    .execute();
  const sizes = await engine.read
    .$extendTables<Known>()
    .selectFrom('table_sizes')
    .selectAll()
    .orderBy('bytes', 'desc')
    .limit(LARGEST)
    .execute();
  return {
    file: (await engine.upkeep?.size()) ?? null,
    samples,
    largest: sizes.map(({ name, bytes }) => ({ name, bytes })),
    measuredAt: sizes[0]?.measured_at ?? null,
  };
}

export function createGrowthStore(committer: Committer) {
  return {
    /** Stores the first sample of each day, and drops days that the trend does not need. */
    add: (sample: GrowthSample): Promise<void> =>
      committer.commit(async ({ tx }) => {
        const { day, taken_at, file_bytes, free_bytes, log_bytes, disk_free_bytes } = sample;
        await tx.run(DROP_SAMPLES, [day - TREND_DAYS - 1, day]);
        await tx.run(INSERT_SAMPLE, [day, taken_at, file_bytes, free_bytes, log_bytes, disk_free_bytes]);
      }),

    /** Replaces the previous measurement. `now` is in epoch ms. */
    replaceTableSizes: (sizes: readonly TableSize[], now: number): Promise<void> =>
      committer.commit(async ({ tx }) => {
        await tx.run('DELETE FROM table_sizes', []);
        for (const { name, bytes } of sizes.slice(0, LARGEST)) {
          const values = [name, bytes, now];
          await tx.run('INSERT INTO table_sizes (name, bytes, measured_at) VALUES (?, ?, ?)', values);
        }
      }),
  };
}

/** Returns days since the epoch in UTC. `at` is in epoch ms. */
export function growthDay(at: number): number {
  return Math.floor(at / DAY_MS);
}
