// Tables of the forecast: one sample of the sizes per day, and the last measured size of each table.
import { instant, int, type RowOf, table, text } from '../../database/columns.js';

/** The first sample of each day (UTC), for a month. Sizes are in bytes. */
export const growthSamples = table('growth_samples', {
  /** Days since the epoch. */
  day: int(),
  taken_at: instant(),
  file_bytes: int(),
  /** Unused pages of the file, which are reused. */
  free_bytes: int(),
  /** The write-ahead log. */
  log_bytes: int(),
  /** Free space for the program's user on the data folder's disk. */
  disk_free_bytes: int(),
});
export type GrowthSample = RowOf<typeof growthSamples>;

/** Tables with their indexes. All rows come from the same measurement. */
export const tableSizes = table('table_sizes', {
  name: text(),
  bytes: int(),
  measured_at: instant(),
});
