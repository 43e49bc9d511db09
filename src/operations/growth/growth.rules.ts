// Forecasts the growth of the data, and when the data folder's disk will be full, from one sample per day. Free pages of the
// database file count as free space, because the file reuses them before it grows.
import type { GrowthSample } from './growth.tables.js';

export const DAY_MS = 86_400_000;
/** Days of the trend. */
export const TREND_DAYS = 28;
/** Fewest days for a forecast. */
export const MIN_DAYS = 3;
/** Samples closer together (ms) than this count as the same day, such as after a start just before midnight. */
const MIN_GAP_MS = DAY_MS / 2;
/** Longest forecast in days. */
const MAX_DAYS = 3_650;

/** Sizes in bytes. */
interface Sizes {
  fileBytes: number;
  freeBytes: number;
  logBytes: number;
  diskFreeBytes: number;
}

export type Forecast =
  /** There are samples of only `days` days, fewer than `MIN_DAYS`. */
  | { kind: 'too_few_days'; days: number }
  | {
      kind: 'known';
      /** Days of the trend. */
      days: number;
      /** Daily growth of the data in the database. Negative if it shrinks. */
      databaseBytesPerDay: number;
      /** Daily loss of free space on the disk. Negative if space is regained. */
      roomBytesPerDay: number;
      /** Epoch ms; `null` if not within ten years. */
      fullAt: number | null;
    };

/**
 * Uses the median of the daily differences, so that a single large import or clean-up does not distort the forecast. The disk
 * counts as full when `minFreeBytes` are left, because Mailkeel then stops accepting mail. `samples` may have any order.
 */
export function forecast(
  samples: readonly GrowthSample[],
  current: Sizes,
  { minFreeBytes, now }: { minFreeBytes: number; now: number },
): Forecast {
  const days = daysApart(samples);
  const first = days[0];
  const last = days.at(-1);
  const span = first && last ? (last.taken_at - first.taken_at) / DAY_MS : 0;
  if (days.length <= MIN_DAYS) return { kind: 'too_few_days', days: Math.max(0, days.length - 1) };
  const databaseBytesPerDay = dailyMedian(days, (sample) => sample.file_bytes - sample.free_bytes);
  const roomBytesPerDay =
    0 -
    dailyMedian(days, (sample) =>
      freeSpace({
        freeBytes: sample.free_bytes,
        logBytes: sample.log_bytes,
        diskFreeBytes: sample.disk_free_bytes,
      }),
    );
  const room = Math.max(0, freeSpace(current) - minFreeBytes);
  const daysLeft = roomBytesPerDay > 0 ? room / roomBytesPerDay : Infinity;
  const fullAt = daysLeft > MAX_DAYS ? null : Math.round(now + daysLeft * DAY_MS);
  return { kind: 'known', days: Math.round(span), databaseBytesPerDay, roomBytesPerDay, fullAt };
}

/** Free space for data. The write-ahead log counts as free, because it shrinks again. */
function freeSpace({ freeBytes, logBytes, diskFreeBytes }: Omit<Sizes, 'fileBytes'>): number {
  return diskFreeBytes + freeBytes + logBytes;
}

/** Returns the newest `TREND_DAYS` samples in order of time, without those that follow another too closely. */
function daysApart(samples: readonly GrowthSample[]): GrowthSample[] {
  const kept: GrowthSample[] = [];
  for (const sample of samples.toSorted((a, b) => a.taken_at - b.taken_at)) {
    const before = kept.at(-1);
    if (!before || sample.taken_at - before.taken_at >= MIN_GAP_MS) kept.push(sample);
  }
  return kept.slice(-TREND_DAYS - 1);
}

/** Returns the median of the daily differences in bytes per day. */
function dailyMedian(samples: readonly GrowthSample[], sizeOf: (sample: GrowthSample) => number): number {
  const rates = samples.slice(1).map((sample, index) => {
    const before = samples[index] ?? sample;
    return ((sizeOf(sample) - sizeOf(before)) * DAY_MS) / (sample.taken_at - before.taken_at);
  });
  const sorted = rates.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  const lower = sorted.length % 2 === 0 ? (sorted[middle - 1] ?? upper) : upper;
  return Math.round((lower + upper) / 2);
}

/** Settings that make a table smaller, by prefix of the table's name. The first match applies. */
const SHRUNK_BY: readonly [RegExp, string][] = [
  [/^(attempts|smtp_sessions|delivery_reports)$/, 'MAILKEEL_ATTEMPT_KEEP'],
  [/^webhook_/, 'MAILKEEL_WEBHOOK_KEEP'],
  [/^inbound_/, 'MAILKEEL_INBOUND_KEEP'],
  [/^audit_/, 'MAILKEEL_AUDIT_KEEP'],
  [/^request_log/, 'MAILKEEL_REQUEST_LOG_KEEP'],
  [/^(messages|message_|contents|blobs|raws|attachments|words)/, 'MAILKEEL_RETENTION_DAYS'],
];

/** Returns `null` for records that are stored forever. */
export function settingThatShrinks(table: string): string | null {
  return SHRUNK_BY.find(([names]) => names.test(table))?.[1] ?? null;
}
