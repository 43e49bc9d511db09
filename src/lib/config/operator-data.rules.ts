// Reads operator data files (rules, shaping, sources) and reports all mistakes with their places.
import type { RateLimit } from '../rate-limits/index.js';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PERIOD_MS = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)$/;
const RATE = /^(\d{1,9})\/(s|min|h|d)(?: burst (\d{1,6}))?$/;
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/i;
const MAX_DURATION_MS = 366 * UNIT_MS.d;
const MAX_TEXT = 1024;

/** The mistakes in an operator data file, one sentence each, beginning with the place. */
export class DataProblems extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'DataProblems';
    this.problems = problems;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads values. If a value does not fit, a method notes a problem and returns undefined or an empty value.
 * Problems may contain names but no values, because some are secret.
 */
export interface DataReader {
  problem(place: string, words: string): void;
  /** Reads an object without other keys than these; any keys if absent. */
  fields(value: unknown, place: string, keys?: readonly string[]): Fields;
  /** Reads a list of at most `max` items. */
  list(value: unknown, place: string, max: number): readonly unknown[];
  text(value: unknown, place: string): string | undefined;
  /**
   * Reads a name that is safe in a path, a log line and a header: at most 63 letters, digits, `.`, `_`, `-`.
   */
  name(value: unknown, place: string): string | undefined;
  oneOf<T extends string>(value: unknown, place: string, known: readonly T[]): T | undefined;
  whole(value: unknown, place: string, range: { min: number; max: number }): number | undefined;
  /** Reads milliseconds from `90s`, `30m`, `2h`; from `minMs` (default 1) to a year. */
  duration(value: unknown, place: string, minMs?: number): number | undefined;
  rate(value: unknown, place: string): RateLimit | undefined;
}

/** Parses `250ms`, `90s`, `5m`, `2h`, `3d` to milliseconds; undefined for other text. */
export function parseDurationMs(text: string): number | undefined {
  const match = DURATION.exec(text.trim());
  const unit = match?.[2] as keyof typeof UNIT_MS | undefined;
  return unit === undefined ? undefined : Math.round(Number(match?.[1]) * UNIT_MS[unit]);
}

/**
 * Parses a limit such as `60/min`, `100/s burst 20`. The default burst is the allowance of a second, at least
 * 1. Undefined for 0 and other text.
 */
export function parseRate(text: string): RateLimit | undefined {
  const [, digits = '', period, burst] = RATE.exec(text.trim()) ?? [];
  const count = Number(digits);
  if (period === undefined || count < 1 || burst === '0') return undefined;
  const perMs = PERIOD_MS[period as keyof typeof PERIOD_MS];
  const asASecondAllows = Math.max(1, Math.floor((count * 1000) / perMs));
  return { count, perMs, burst: burst === undefined ? asASecondAllows : Number(burst) };
}

/** Returns the result of `read`. Throws DataProblems if it noted any. */
export function readOperatorData<T>(title: string, read: (reader: DataReader) => T): T {
  const problems: string[] = [];
  const result = read(createReader((place, words) => problems.push(`${title}: ${place} ${words}`)));
  if (problems.length > 0) throw new DataProblems(problems);
  return result;
}

function createReader(problem: (place: string, words: string) => void): DataReader {
  /** Returns the value, or notes a problem if it is undefined. */
  function expected<T>(value: T | undefined, place: string, words: string): T | undefined {
    if (value === undefined) problem(place, `must be ${words}`);
    return value;
  }
  const short = (value: unknown): string | undefined =>
    typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT ? value.trim() : undefined;

  return {
    problem,
    fields(value, place, keys) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        problem(place, 'must be an object');
        return {};
      }
      const stray = keys ? Object.keys(value).filter((key) => !keys.includes(key)) : [];
      for (const key of stray) {
        problem(place, NAME.test(key) ? `has an unknown field: "${key}"` : 'has an unknown field');
      }
      return value as Fields;
    },
    list(value, place, max) {
      if (!Array.isArray(value) || value.length > max) {
        problem(place, `must be a list with at most ${max} items`);
        return [];
      }
      return value as unknown[];
    },
    text: (value, place) => expected(short(value), place, 'a non-empty string'),
    name: (value, place) =>
      expected(
        typeof value === 'string' && NAME.test(value) ? value : undefined,
        place,
        'a name with at most 63 letters, digits, ".", "_" or "-"',
      ),
    oneOf: (value, place, known) =>
      expected(
        known.find((name) => name === value),
        place,
        `one of ${known.join(', ')}`,
      ),
    whole(value, place, { min, max }) {
      const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
      return expected(fits ? value : undefined, place, `a whole number from ${min} to ${max}`);
    },
    duration(value, place, minMs = 1) {
      const ms = typeof value === 'string' ? parseDurationMs(value) : undefined;
      const fits = ms !== undefined && ms >= minMs && ms <= MAX_DURATION_MS;
      return expected(fits ? ms : undefined, place, 'a duration up to 366d, for example 90s, 30m or 2h');
    },
    rate: (value, place) =>
      expected(
        typeof value === 'string' ? parseRate(value) : undefined,
        place,
        'a rate, for example 60/min, 10/h or 100/s burst 20',
      ),
  };
}
