// Tests the forecast of a full disk from one sample per day.
import { describe, expect, it } from 'vitest';
import { forecast, settingThatShrinks } from '../../src/operations/growth/growth.rules.js';
import type { GrowthSample } from '../../src/operations/growth/growth.tables.js';
import { judgeGrowth } from '../../src/operations/preflight/preflight-store.rules.js';

const DAY = 86_400_000;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const NOW = Date.parse('2026-03-10T00:00:00Z');

interface Day {
  ago: number;
  fileMib: number;
  freeMib?: number;
  diskMib: number;
  logMib?: number;
}

const sample = ({ ago, fileMib, freeMib = 0, diskMib, logMib = 0 }: Day): GrowthSample => ({
  day: Math.floor((NOW - ago * DAY) / DAY),
  taken_at: NOW - ago * DAY,
  file_bytes: fileMib * MIB,
  free_bytes: freeMib * MIB,
  log_bytes: logMib * MIB,
  disk_free_bytes: diskMib * MIB,
});
/** The oldest day first; `grown(0)` is today. */
const days = (count: number, dayOf: (ago: number) => Omit<Day, 'ago'>): GrowthSample[] =>
  Array.from({ length: count }, (_, index) => {
    const ago = count - 1 - index;
    return sample({ ago, ...dayOf(ago) });
  });
const current = (of: Omit<Day, 'ago'>) => {
  const { file_bytes, free_bytes, log_bytes, disk_free_bytes } = sample({ ago: 0, ...of });
  return {
    fileBytes: file_bytes,
    freeBytes: free_bytes,
    logBytes: log_bytes,
    diskFreeBytes: disk_free_bytes,
  };
};
const at = { minFreeBytes: 0, now: NOW };
const inDays = (count: number): number => NOW + count * DAY;

describe('the forecast', () => {
  it.each([0, 1, 2, 3])('cannot be made from %i samples', (count) => {
    const made = forecast(
      days(count, () => ({ fileMib: 1, diskMib: 1 })),
      current({ fileMib: 1, diskMib: 1 }),
      at,
    );
    expect(made).toEqual({ kind: 'too_few_days', days: Math.max(0, count - 1) });
  });

  it('divides the free space by steady daily growth', () => {
    const grown = (ago: number) => ({ fileMib: 1_000 - 10 * ago, diskMib: 500 + 10 * ago });
    expect(forecast(days(4, grown), current(grown(0)), at)).toEqual({
      kind: 'known',
      days: 3,
      databaseBytesPerDay: 10 * MIB,
      roomBytesPerDay: 10 * MIB,
      fullAt: inDays(50),
    });
  });

  it('is not affected by a single import or clean-up', () => {
    const grown = (ago: number) => {
      const steps = (ago < 9 ? 5_000 : 0) - (ago < 4 ? 3_000 : 0);
      return { fileMib: 9_000 - 10 * ago + steps, diskMib: 20_000 + 10 * ago - steps };
    };
    expect(forecast(days(20, grown), current(grown(0)), at)).toMatchObject({
      databaseBytesPerDay: 10 * MIB,
      roomBytesPerDay: 10 * MIB,
    });
  });

  it('counts free pages as space, because a file fills its gaps before it grows', () => {
    const grown = (ago: number) => ({ fileMib: 1_000, freeMib: 200 + 10 * ago, diskMib: 300 });
    expect(forecast(days(6, grown), current(grown(0)), at)).toMatchObject({
      databaseBytesPerDay: 10 * MIB,
      fullAt: inDays(50),
    });
  });

  it('ends when retention frees pages', () => {
    const grown = (ago: number) => ({ fileMib: 1_000, freeMib: 200 - 10 * ago, diskMib: 300 });
    expect(forecast(days(6, grown), current(grown(0)), at)).toMatchObject({
      databaseBytesPerDay: -10 * MIB,
      roomBytesPerDay: -10 * MIB,
      fullAt: null,
    });
  });

  it('ignores the changing size of the log', () => {
    const grown = (ago: number) => {
      const logMib = ago % 2 === 0 ? 64 : 0;
      return { fileMib: 1_000, logMib, diskMib: 500 - logMib };
    };
    expect(forecast(days(9, grown), current(grown(0)), at)).toMatchObject({
      roomBytesPerDay: 0,
      fullAt: null,
    });
  });

  it('includes other files on the disk', () => {
    const grown = (ago: number) => ({ fileMib: 1_000, diskMib: 100 + 10 * ago });
    expect(forecast(days(9, grown), current(grown(0)), at)).toMatchObject({
      databaseBytesPerDay: 0,
      fullAt: inDays(10),
    });
  });

  it('ends when no mail can be accepted, and never in the past', () => {
    const grown = (ago: number) => ({ fileMib: 1_000 - 10 * ago, diskMib: 300 + 10 * ago });
    const full = (minMib: number) =>
      forecast(days(5, grown), current(grown(0)), { minFreeBytes: minMib * MIB, now: NOW });
    expect(full(200)).toMatchObject({ fullAt: inDays(10) });
    expect(full(400)).toMatchObject({ fullAt: NOW });
  });

  it('is absent for more than ten years', () => {
    const grown = (ago: number) => ({ fileMib: 1_000 - ago, diskMib: 3_700 + ago });
    expect(forecast(days(5, grown), current(grown(0)), at)).toMatchObject({ fullAt: null });
  });

  it('uses only samples of four weeks that are half a day apart', () => {
    const grown = (ago: number) => ({
      fileMib: ago > 28 ? 10_000 - 300 * ago : 1_600 - 10 * (ago - 28),
      diskMib: 500 + 10 * ago,
    });
    expect(forecast(days(60, grown), current(grown(0)), at)).toMatchObject({
      days: 28,
      databaseBytesPerDay: 10 * MIB,
    });
    const close = [3, 2.99, 2, 1, 0].map((ago) => sample({ ago, fileMib: 900 - 10 * ago, diskMib: 10 }));
    expect(forecast(close, current({ fileMib: 900, diskMib: 10 }), at)).toMatchObject({
      databaseBytesPerDay: 10 * MIB,
    });
  });
});

describe('the check', () => {
  const known = (fullAt: number | null) => ({
    ...({
      kind: 'known',
      days: 28,
      databaseBytesPerDay: 100 * MIB,
      roomBytesPerDay: 100 * MIB,
      fullAt,
    } as const),
  });
  const largest = [
    { name: 'contents', bytes: 4 * GIB },
    { name: 'events', bytes: GIB },
  ];
  it.each([
    [null, 'pass'],
    [30, 'pass'],
    [29.9, 'warn'],
    [7, 'warn'],
    [6.9, 'fail'],
    [0, 'fail'],
  ] as const)('full in %s days: %s', (left, status) => {
    const fullAt = left === null ? null : NOW + left * DAY;
    const result = judgeGrowth({ forecast: known(fullAt), largest }, NOW);
    expect(result.status).toBe(status);
    expect(result.remedy === null).toBe(status === 'pass');
  });

  it('names the largest tables and the settings that reduce them', () => {
    const { observed, remedy } = judgeGrowth({ forecast: known(NOW + 3 * DAY), largest }, NOW);
    expect(observed).toBe(
      'over 28 days, the data grew by 100 MiB per day and free space decreased by 100 MiB per day; the disk will be full in 3 days, on 2026-03-13',
    );
    expect(remedy).toBe(
      'Shorten retention (docs/retention.md) or enlarge the disk. The database reuses space freed by retention. The largest tables and ' +
        'the settings that shrink them: contents 4,096 MiB (MAILKEEL_RETENTION_DAYS), events 1,024 MiB (never deleted).',
    );
  });

  it('reports that other files fill the disk', () => {
    const other = { ...known(NOW + 3 * DAY), roomBytesPerDay: 500 * MIB };
    expect(judgeGrowth({ forecast: other, largest: [] }, NOW).remedy).toContain(
      'Most of the growth is outside the database',
    );
  });

  it('reports that too few days have passed', () => {
    const result = judgeGrowth({ forecast: { kind: 'too_few_days', days: 2 }, largest: [] }, NOW);
    expect([result.status, result.observed]).toEqual(['pass', 'not enough data (2 of 3 days measured)']);
  });
});

it('knows a setting for each table', () => {
  const table = ['webhook_attempts', 'attempts', 'contents', 'inbound_messages', 'events', 'contacts'];
  expect(table.map(settingThatShrinks)).toEqual([
    'MAILKEEL_WEBHOOK_KEEP',
    'MAILKEEL_ATTEMPT_KEEP',
    'MAILKEEL_RETENTION_DAYS',
    'MAILKEEL_INBOUND_KEEP',
    null,
    null,
  ]);
});
