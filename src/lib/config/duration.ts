// Parses and formats durations, byte sizes and rates in configuration values.

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const UNIT_BYTES = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;
const PERIODS_PER_MINUTE = { s: 60, min: 1, h: 1 / 60 } as const;

function pick(table: Readonly<Record<string, number>>, unit: string): number | undefined {
  return Object.hasOwn(table, unit) ? table[unit] : undefined;
}

/**
 * Parses `250ms`, `90s`, `5m`, `2h`, `3d` to milliseconds; undefined for other text, including a bare `0`.
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text.trim());
  if (!match) return undefined;
  const unit = pick(UNIT_MS, match[2] ?? '');
  return unit === undefined ? undefined : Math.round(Number(match[1]) * unit);
}

/** Formats a duration in its largest whole unit, such as 90000 as `90s`. */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms >= UNIT_MS[unit] && ms % UNIT_MS[unit] === 0) return `${ms / UNIT_MS[unit]}${unit}`;
  }
  return `${ms}ms`;
}

/** Parses each item of `1m,5m,30m` to milliseconds; undefined if the list is empty or an item is invalid. */
export function parseDurations(text: string): number[] | undefined {
  const steps = text.split(',').map(parseDuration);
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

/**
 * Does the same as parseDurations, with an optional `…` or `...` at the end, which means that the last step
 * repeats forever.
 */
export function parseSchedule(text: string): number[] | undefined {
  return parseDurations(text.trim().replace(/\s*(?:…|\.\.\.)$/, ''));
}

/** Parses `512`, `16KiB`, `30MiB` to bytes; undefined for other text. */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d{1,12})\s?(B|KiB|MiB|GiB)?$/.exec(text.trim());
  if (!match) return undefined;
  const unit = pick(UNIT_BYTES, match[2] ?? 'B');
  return unit === undefined ? undefined : Number(match[1]) * unit;
}

/** Formats a byte count in its largest whole unit, such as 1048576 as `1MiB`. */
export function formatBytes(bytes: number): string {
  for (const unit of ['GiB', 'MiB', 'KiB'] as const) {
    if (bytes >= UNIT_BYTES[unit] && bytes % UNIT_BYTES[unit] === 0)
      return `${bytes / UNIT_BYTES[unit]}${unit}`;
  }
  return String(bytes);
}

/** Parses `6000/min`, `100/s`, `600/h` or a bare number to requests per minute; undefined for other text. */
export function parseRate(text: string): number | undefined {
  const match = /^(\d{1,9})(?:\/(s|min|h))?$/.exec(text.trim());
  if (!match) return undefined;
  const perMinute = pick(PERIODS_PER_MINUTE, match[2] ?? 'min');
  return perMinute === undefined ? undefined : Number(match[1]) * perMinute;
}

/** Parses `0.3%` to a share from 0 to 1; undefined for other text. */
export function parseShare(text: string): number | undefined {
  const match = /^(\d{1,3}(?:\.\d{1,6})?)\s?%$/.exec(text.trim());
  const percent = match ? Number(match[1]) : NaN;
  return percent <= 100 ? Number((percent / 100).toFixed(8)) : undefined;
}
