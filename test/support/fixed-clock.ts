// A clock that stands still until the test moves it.
import type { Clock } from '../../src/lib/runtime/index.js';

export interface FixedClock {
  now: Clock;
  /** Moves on and returns the new time. */
  advance(milliseconds: number): number;
}

/** 2026-01-02T03:04:05.678Z by default. */
export function fixedClock(start = Date.UTC(2026, 0, 2, 3, 4, 5, 678)): FixedClock {
  let time = start;
  return {
    now: () => time,
    advance(milliseconds) {
      time += milliseconds;
      return time;
    },
  };
}
