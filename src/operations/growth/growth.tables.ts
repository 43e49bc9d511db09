// Tables of the forecast: one sample of the sizes per day, and the last measured size of each table.
import { instant, int, type RowOf, table, text } from '../../database/columns.js';

/** The first sample of each day, UTC; a month of them is kept. Sizes in octets. */
export const growthSamples = table('growth_samples', {
  /** Days since the epoch. */
  day: int(),
  taken_at: instant(),
  file_bytes: int(),
  /** Pages of the file that hold nothing and are used again. */
  free_bytes: int(),
  /** The write-ahead log. */
  log_bytes: int(),
  /** Free for the user of the program on the disk of the data folder. */
  disk_free_bytes: int(),
});
export type GrowthSample = RowOf<typeof growthSamples>;

/** Tables with their indexes; all rows are of one measurement. */
export const tableSizes = table('table_sizes', {
  name: text(),
  bytes: int(),
  measured_at: instant(),
});
