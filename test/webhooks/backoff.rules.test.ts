import { describe, expect, it } from 'vitest';
import { nextWebhookAttemptAt, retryAfterMs } from '../../src/webhooks/deliveries/backoff.rules.js';

describe('nextWebhookAttemptAt', () => {
  const scheduleMs = [10_000, 60_000];
  it.each([
    [1, 0.5, 11_000],
    [1, 0, 9_000],
    [2, 0.5, 61_000],
    [3, 0.5, null],
  ])('after attempt %i with jitter %f', (attempt, jitter, expected) => {
    expect(nextWebhookAttemptAt({ attempt, scheduleMs, now: 1000, jitter })).toBe(expected);
  });
});

describe('a Retry-After', () => {
  const now = Date.UTC(2026, 0, 1);

  it('delays an attempt that would come earlier', () => {
    const step = { attempt: 1, scheduleMs: [10_000], now, jitter: 0.5 };
    expect(nextWebhookAttemptAt({ ...step, atLeastMs: 60_000 })).toBe(now + 60_000);
    expect(nextWebhookAttemptAt({ ...step, atLeastMs: 1_000 })).toBe(now + 10_000);
  });

  it.each([
    ['120', 120_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['99999999', 86_400_000],
    ['3600.5', 3_600_500],
    ['3600, 60', 0],
    ['2027-01-01', 0],
    ['soon', 0],
    ['', 0],
    [undefined, 0],
  ])('%s', (field, expected) => {
    expect(retryAfterMs(field, now)).toBe(expected);
  });
});
