import { describe, expect, it } from 'vitest';
import { firstPace, paceAfterAttempt, attemptSlots } from '../../src/webhooks/deliveries/pace.rules.js';

const MAX = 4;
const quick = { answered: true, durationMs: 20, max: MAX };
const late = { answered: true, durationMs: 2_000, max: MAX };
const silent = { answered: false, durationMs: 30, max: MAX };

describe('the pace of an endpoint', () => {
  it('begins with one attempt, and counts as silent after failures', () => {
    expect(firstPace({ consecutiveFailures: 0 })).toEqual({ limit: 1, manner: 'new' });
    expect(firstPace({ consecutiveFailures: 1 })).toEqual({ limit: 1, manner: 'silent' });
  });

  it.each([
    ['a quick answer allows one more', { limit: 2, manner: 'new' }, quick, { limit: 3, manner: 'quick' }],
    ['up to the most', { limit: MAX, manner: 'quick' }, quick, { limit: MAX, manner: 'quick' }],
    ['a late answer halves it', { limit: 4, manner: 'quick' }, late, { limit: 2, manner: 'slow' }],
    ['and so does none', { limit: 3, manner: 'quick' }, silent, { limit: 1, manner: 'silent' }],
    ['but it stays at one', { limit: 1, manner: 'silent' }, silent, { limit: 1, manner: 'silent' }],
    [
      'one quick answer makes it quick again',
      { limit: 1, manner: 'silent' },
      quick,
      { limit: 2, manner: 'quick' },
    ],
  ] as const)('%s', (_what, pace, attempt, after) => {
    expect(paceAfterAttempt(pace, attempt)).toEqual(after);
  });
});

describe('the attempt slots', () => {
  it('of slow endpoints are a share of those of quick ones, and at least one', () => {
    expect(attemptSlots('quick', 128)).toBe(128);
    expect(attemptSlots('slow', 128)).toBe(64);
    expect(attemptSlots('silent', 128)).toBe(32);
    expect(attemptSlots('silent', 1)).toBe(1);
  });
});
