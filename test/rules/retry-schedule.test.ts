import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expiresAt, nextAttemptAt, retryHintMs, retryOrExpire } from '../../src/rules/retry-schedule.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const scheduleMs = [MINUTE, 5 * MINUTE, 4 * HOUR];
const lifetimes = { queueLifetimeMs: 48 * HOUR, marketingQueueLifetimeMs: 36 * HOUR };

describe('nextAttemptAt', () => {
  it.each([
    [1, MINUTE],
    [2, 5 * MINUTE],
    [3, 4 * HOUR],
    [9, 4 * HOUR],
  ])('after attempt %i waits %i ms, the last step repeating', (attempt, waitMs) => {
    expect(nextAttemptAt({ attempt, scheduleMs, now: 1000, jitter: 0.5 })).toBe(1000 + waitMs);
  });

  it('spreads by at most 20 % either way', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, jitter) => {
          const middle = nextAttemptAt({ attempt, scheduleMs, now: 0, jitter: 0.5 });
          const at = nextAttemptAt({ attempt, scheduleMs, now: 0, jitter });
          expect(at).toBeGreaterThanOrEqual(Math.floor(middle * 0.8));
          expect(at).toBeLessThanOrEqual(Math.ceil(middle * 1.2));
        },
      ),
    );
  });

  it('waits at least as long as the reply asks for', () => {
    const replyText = 'Greylisted, please try again in 10 minutes';
    expect(nextAttemptAt({ attempt: 1, scheduleMs, now: 0, jitter: 0, replyText })).toBe(10 * MINUTE);
    expect(nextAttemptAt({ attempt: 1, scheduleMs, now: 0, jitter: 0.5, replyText })).toBe(11 * MINUTE);
  });
});

describe('retryHintMs', () => {
  it.each([
    ['try again in 300 seconds', 5 * MINUTE],
    ['Please try again in 5 minutes', 5 * MINUTE],
    ['retry after 120s', 2 * MINUTE],
    ['come back in 2 hours', 2 * HOUR],
    ['try again in 2 seconds', MINUTE],
    ['wait 90 hours', 4 * HOUR],
    ['try again later', null],
    ['listed for 3 reasons', null],
    ['mailbox full', null],
  ])('%s', (text, expected) => {
    expect(retryHintMs(text)).toBe(expected);
  });
});

describe('the end of trying', () => {
  it('comes sooner for marketing and for a mailbox that stays full', () => {
    const firstDueAt = 1000;
    expect(expiresAt({ firstDueAt, type: 'transactional', lifetimes })).toBe(1000 + 48 * HOUR);
    expect(expiresAt({ firstDueAt, type: 'sales', lifetimes })).toBe(1000 + 48 * HOUR);
    expect(expiresAt({ firstDueAt, type: 'marketing', lifetimes })).toBe(1000 + 36 * HOUR);
    expect(expiresAt({ firstDueAt, type: 'marketing', lifetimes, category: 'quota' })).toBe(1000 + 24 * HOUR);
    const short = { ...lifetimes, queueLifetimeMs: 5000 };
    expect(expiresAt({ firstDueAt, type: 'marketing', lifetimes: short })).toBe(6000);
  });

  it('gets a last attempt of its own, and then is over', () => {
    expect(retryOrExpire({ now: 10, nextAt: 20, expiresAt: 100 })).toEqual({ kind: 'retry', at: 20 });
    expect(retryOrExpire({ now: 90, nextAt: 400, expiresAt: 100 })).toEqual({ kind: 'retry', at: 100 });
    expect(retryOrExpire({ now: 100, nextAt: 400, expiresAt: 100 })).toEqual({ kind: 'expired' });
  });
});
