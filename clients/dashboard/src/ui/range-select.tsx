// The span of time that a page shows, in the same words everywhere: "Last 7 days".
import { Select } from '@mantine/core';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';

export type Range = '24h' | '7d' | '30d' | '90d' | '365d';

export function RangeSelect({
  ranges,
  value,
  onChange,
}: {
  ranges: readonly Range[];
  value: Range;
  onChange: (range: Range) => void;
}) {
  const t = useTexts(common).range;
  return (
    <Select
      aria-label={t.label}
      w={170}
      data={ranges.map((range) => ({ value: range, label: t.names[range] }))}
      value={value}
      onChange={(next) => {
        if (next !== null) onChange(next);
      }}
    />
  );
}

/** Returns the range in the address, or else the fallback. */
export function rangeOf(ranges: readonly Range[], value: string, fallback: Range): Range {
  return ranges.find((range) => range === value) ?? fallback;
}

const DAY_MS = 86_400_000;

/** Start (UTC) of the first of the last `days` days, today included. */
export function startOfDays(days: number): string {
  return new Date((Math.floor(Date.now() / DAY_MS) - days + 1) * DAY_MS).toISOString();
}

/** Number of days of a range in days. */
export function daysOf(range: Range): number {
  return Number.parseInt(range, 10);
}
