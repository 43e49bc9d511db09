import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  gcraRelease,
  gcraNextAt,
  gcraCapacity,
  gcraTake,
  type RateLimit,
} from '../../../src/lib/rate-limits/gcra.rules.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 1, 12, 0, 0, 7);
const sixtyPerHour: RateLimit = { count: 60, perMs: HOUR, burst: 1 };
const sevenPerMinute: RateLimit = { count: 7, perMs: MINUTE, burst: 3 };

/** Returns the most times within any trailing `perMs`; `times` must ascend. */
function mostInTrailing(times: readonly number[], perMs: number): number {
  let first = 0;
  return times.reduce((most, time, index) => {
    while ((times[first] ?? time) <= time - perMs) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

const anyLimit = fc.record({
  count: fc.integer({ min: 1, max: 5_000 }),
  perMs: fc.constantFrom(1_000, MINUTE, HOUR, 24 * HOUR),
  burst: fc.integer({ min: 1, max: 50 }),
});
/**
 * Shares of a mean interval, so that arrivals come both closer together and further apart than the limit
 * allows.
 */
const anyGaps = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 3, noNaN: true })), {
  minLength: 1,
  maxLength: 400,
});

describe('a rate limit', () => {
  it.each([
    ['at rest', undefined, sixtyPerHour, 1, NOW],
    ['at rest for long', NOW - 9 * HOUR, sixtyPerHour, 1, NOW],
    ['used up', NOW + MINUTE, sixtyPerHour, 0, NOW + MINUTE],
    ['nearly at rest', NOW + 1, sixtyPerHour, 0, NOW + 1],
    ['with a burst at rest', undefined, sevenPerMinute, 3, NOW],
    ['with a burst and one gone', NOW + 8_571, sevenPerMinute, 2, NOW],
    ['with a burst and two gone', NOW + 17_142, sevenPerMinute, 1, NOW],
    ['with a burst gone', NOW + 25_714.5, sevenPerMinute, 0, NOW + 8_572],
  ])('%s has the expected capacity and next time', (_what, tat, limit, room, nextAt) => {
    expect(gcraCapacity(tat, limit, NOW)).toBe(room);
    expect(gcraNextAt(tat, limit, NOW)).toBe(nextAt);
  });

  it('of 60 an hour never allows more than 60 in any trailing hour, across restarts', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 3 * MINUTE }), { minLength: 100, maxLength: 500 });
    fc.assert(
      fc.property(arrivals, fc.boolean(), (gaps, isPatient) => {
        let [now, tat] = [NOW, undefined as number | undefined];
        const sent: number[] = [];
        for (const gap of gaps) {
          now = isPatient ? gcraNextAt(tat, sixtyPerHour, now) : now + gap;
          if (gcraCapacity(tat, sixtyPerHour, now) === 0) continue;
          tat = JSON.parse(JSON.stringify(gcraTake(tat, sixtyPerHour, now))) as number;
          sent.push(now);
        }
        expect(mostInTrailing(sent, HOUR)).toBeLessThanOrEqual(60);
      }),
    );
  });

  it('allows at most count + burst - 1 in a trailing period, for any arrivals', () => {
    fc.assert(
      fc.property(anyLimit, anyGaps, (limit, gaps) => {
        let [now, tat] = [NOW, undefined as number | undefined];
        const sent: number[] = [];
        for (const gap of gaps) {
          now += Math.round((gap * limit.perMs) / limit.count);
          const room = gcraCapacity(tat, limit, now);
          expect(room).toBeLessThanOrEqual(limit.burst);
          expect(gcraNextAt(tat, limit, now) <= now).toBe(room > 0);
          if (room === 0) continue;
          tat = gcraTake(tat, limit, now, room);
          for (let i = 0; i < room; i++) sent.push(now);
          expect(gcraCapacity(tat, limit, now)).toBe(0);
        }
        expect(mostInTrailing(sent, limit.perMs)).toBeLessThanOrEqual(limit.count + limit.burst - 1);
      }),
    );
  });

  it('allows the same in parts as at once', () => {
    fc.assert(
      fc.property(anyLimit, (limit) => {
        let tat: number | undefined;
        for (let left = limit.burst; left > 0; left--) {
          expect(gcraCapacity(tat, limit, NOW)).toBe(left);
          tat = gcraTake(tat, limit, NOW);
        }
        expect(tat).toBe(gcraTake(undefined, limit, NOW, limit.burst));
      }),
    );
  });

  it('does not drift: each of a million messages is late by less than a microsecond', () => {
    const limit = { ...sevenPerMinute, burst: 1 };
    let [now, tat] = [NOW, gcraTake(undefined, limit, NOW)];
    for (let n = 1; n < 1_000_000; n++) {
      now = gcraNextAt(tat, limit, now);
      tat = gcraTake(tat, limit, now);
    }
    // Each waits for a whole millisecond, so the mean is that of ceil(60000 / 7).
    expect(now - NOW).toBe(999_999 * 8_572);
    const steady = gcraTake(undefined, { ...limit, burst: 1_000_000 }, NOW, 1_000_000) - NOW;
    const lateMs = steady - (1_000_000 * MINUTE) / 7;
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThan(1_000);
  });

  it('with a burst of two or more reaches the full rate despite whole-millisecond timers', () => {
    let [now, tat] = [NOW, gcraTake(undefined, sevenPerMinute, NOW, 3)];
    for (let n = 3; n < 70_003; n++) {
      now = gcraNextAt(tat, sevenPerMinute, now);
      tat = gcraTake(tat, sevenPerMinute, now);
    }
    // 70,000 more at 7 a minute are 10,000 minutes.
    expect(Math.abs(now - NOW - 10_000 * MINUTE)).toBeLessThan(100);
  });

  it('counts capacity that was taken without asking, up to one period', () => {
    const tat = gcraTake(undefined, sixtyPerHour, NOW, 10);
    expect(gcraNextAt(tat, sixtyPerHour, NOW)).toBe(NOW + 10 * MINUTE);
    const most = gcraTake(tat, sixtyPerHour, NOW, 1_000);
    expect(gcraCapacity(most, sixtyPerHour, NOW)).toBe(0);
    expect(gcraNextAt(most, sixtyPerHour, NOW)).toBe(NOW + 61 * MINUTE);
  });

  it('does not wait for days after the clock was set back or a slow limit ended', () => {
    expect(gcraCapacity(NOW + 48 * HOUR, sixtyPerHour, NOW)).toBe(1);
    expect(gcraTake(NOW + 48 * HOUR, sixtyPerHour, NOW)).toBe(NOW + MINUTE);
  });
});

describe('returning capacity', () => {
  it('restores the previous capacity', () => {
    const limit = { count: 60, perMs: MINUTE, burst: 10 };
    const tat = gcraTake(undefined, limit, NOW, 10);
    expect(gcraCapacity(gcraRelease(tat, limit, 4), limit, NOW)).toBe(4);
    expect(gcraCapacity(gcraRelease(tat, limit, 10), limit, NOW)).toBe(10);
  });

  it("keeps the 60 of any trailing hour, however late, if the take's result is passed", () => {
    const step = fc.record({
      gap: fc.integer({ min: 0, max: 2 * MINUTE }),
      backAfter: fc.integer({ min: 0, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 100, maxLength: 400 }), (steps) => {
        let [now, tat] = [NOW, undefined as number | undefined];
        const takes: { at: number; tat: number; isBack: boolean }[] = [];
        for (const { gap, backAfter } of steps) {
          now += gap;
          const undone = backAfter > 3 ? undefined : takes.at(-1 - backAfter);
          if (undone && !undone.isBack && tat !== undefined) {
            undone.isBack = true;
            tat = gcraRelease(tat, sixtyPerHour, 1, undone.tat);
          }
          if (gcraCapacity(tat, sixtyPerHour, now) === 0) continue;
          tat = gcraTake(tat, sixtyPerHour, now);
          takes.push({ at: now, tat, isBack: false });
        }
        const sent = takes.filter((take) => !take.isBack).map((take) => take.at);
        expect(mostInTrailing(sent, HOUR)).toBeLessThanOrEqual(60);
      }),
    );
  });

  it('returns nothing after others have taken capacity', () => {
    const first = gcraTake(undefined, sixtyPerHour, NOW);
    const second = gcraTake(first, sixtyPerHour, NOW + MINUTE);
    expect(gcraRelease(second, sixtyPerHour, 1, first)).toBe(second);
  });
});
