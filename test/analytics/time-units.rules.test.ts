// Tests periods of time in whole units.
import { describe, expect, it } from 'vitest';
import { endOfUnit, startOfUnit, unitStarts, type TimeUnit } from '../../src/analytics/time-units.rules.js';

const at = (text: string): number => Date.parse(text);

describe('a time unit', () => {
  it.each<[TimeUnit, string, string, string]>([
    ['hour', '2026-03-01T09:59:59.999Z', '2026-03-01T09:00Z', '2026-03-01T10:00Z'],
    ['day', '2026-02-28T23:00Z', '2026-02-28T00:00Z', '2026-03-01T00:00Z'],
    ['week', '2026-03-01T12:00Z', '2026-02-23T00:00Z', '2026-03-02T00:00Z'],
    ['week', '2026-03-02T00:00Z', '2026-03-02T00:00Z', '2026-03-09T00:00Z'],
    ['week', '1969-12-31T00:00Z', '1969-12-29T00:00Z', '1970-01-05T00:00Z'],
    ['month', '2024-02-29T12:00Z', '2024-02-01T00:00Z', '2024-03-01T00:00Z'],
    ['month', '2025-12-31T12:00Z', '2025-12-01T00:00Z', '2026-01-01T00:00Z'],
  ])('%s of %s is from %s to %s', (unit, time, start, end) => {
    expect(startOfUnit(at(time), unit)).toBe(at(start));
    expect(endOfUnit(at(time), unit)).toBe(at(end));
  });

  it("is included if a span touches it, except at the span's end", () => {
    const days = unitStarts(at('2026-03-01T12:00Z'), at('2026-03-03T00:00Z'), 'day', 2);
    expect(days).toEqual([at('2026-03-01'), at('2026-03-02')]);
    expect(unitStarts(at('2026-03-01T12:00Z'), at('2026-03-03T00:00:00.001Z'), 'day', 2)).toBeNull();
  });
});
