import { describe, expect, it } from 'vitest';
import { endpointAfterDelivery, nextWebhookAttemptAt } from '../../src/webhooks/deliveries/backoff.rules.js';

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

describe('endpointAfterDelivery', () => {
  it.each([
    ['a success resets', 9, true, { consecutiveFailures: 0, disable: false }],
    ['a failure counts', 3, false, { consecutiveFailures: 4, disable: false }],
    ['the tenth in a row disables', 9, false, { consecutiveFailures: 10, disable: true }],
  ])('%s', (_, consecutiveFailures, succeeded, expected) => {
    expect(endpointAfterDelivery({ consecutiveFailures, succeeded, disableAfter: 10 })).toEqual(expected);
  });
});
