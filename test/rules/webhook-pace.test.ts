import { describe, expect, it } from 'vitest';
import { firstPace, paceAfterAttempt } from '../../src/rules/webhook-pace.js';

describe('the pace of an endpoint', () => {
  it('starts with a few attempts at once, and with one where deliveries have failed', () => {
    expect(firstPace({ consecutiveFailures: 0, max: 32 })).toEqual({ limit: 4, isSlow: false });
    expect(firstPace({ consecutiveFailures: 0, max: 2 })).toEqual({ limit: 2, isSlow: false });
    expect(firstPace({ consecutiveFailures: 3, max: 32 })).toEqual({ limit: 1, isSlow: true });
  });

  it.each([
    ['a quick answer allows one more', 4, true, 50, { limit: 5, isSlow: false }],
    ['up to the most', 8, true, 50, { limit: 8, isSlow: false }],
    ['a late answer halves', 8, true, 2_000, { limit: 4, isSlow: true }],
    ['no answer halves', 8, false, 5, { limit: 4, isSlow: true }],
    ['down to one', 1, false, 5, { limit: 1, isSlow: true }],
  ])('%s', (_what, limit, answered, durationMs, expected) => {
    expect(paceAfterAttempt({ limit, isSlow: false }, { answered, durationMs, max: 8 })).toEqual(expected);
  });
});
