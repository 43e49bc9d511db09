// Spans of time in whole units of UTC: hours, days, weeks that begin on Monday, months.
export const TIME_UNITS = ['hour', 'day', 'week', 'month'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** The epoch was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The beginning of the unit that a time is in. Epoch milliseconds. */
export function startOfUnit(at: number, unit: TimeUnit): number {
  switch (unit) {
    case 'hour':
      return Math.floor(at / HOUR_MS) * HOUR_MS;
    case 'day':
      return Math.floor(at / DAY_MS) * DAY_MS;
    case 'week':
      return Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
    case 'month': {
      const date = new Date(at);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    }
  }
}

/** The beginning of the next unit. */
export function endOfUnit(at: number, unit: TimeUnit): number {
  const start = startOfUnit(at, unit);
  if (unit === 'hour') return start + HOUR_MS;
  if (unit === 'day') return start + DAY_MS;
  if (unit === 'week') return start + WEEK_MS;
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Returns the starts of all units between `from` and `to` (exclusive), oldest first. Returns `null` for more than `most`. */
export function unitStarts(from: number, to: number, unit: TimeUnit, most: number): number[] | null {
  const starts: number[] = [];
  for (let at = startOfUnit(from, unit); at < to; at = endOfUnit(at, unit)) {
    if (starts.length === most) return null;
    starts.push(at);
  }
  return starts;
}
