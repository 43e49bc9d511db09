import { describe, expect, it } from 'vitest';
import { expiresAt } from '../../src/messages/lifetime.rules.js';

const HOUR = 3_600_000;
const lifetimes = { queueLifetimeMs: 48 * HOUR, marketingQueueLifetimeMs: 36 * HOUR };

describe('the expiry of a message', () => {
  it('is earlier for marketing mail', () => {
    const firstDueAt = 1000;
    expect(expiresAt({ firstDueAt, type: 'transactional', lifetimes })).toBe(1000 + 48 * HOUR);
    expect(expiresAt({ firstDueAt, type: 'sales', lifetimes })).toBe(1000 + 48 * HOUR);
    expect(expiresAt({ firstDueAt, type: 'marketing', lifetimes })).toBe(1000 + 36 * HOUR);
    const short = { ...lifetimes, queueLifetimeMs: 5000 };
    expect(expiresAt({ firstDueAt, type: 'marketing', lifetimes: short })).toBe(6000);
  });

  it("is the sender's if that is earlier", () => {
    const of = (latest: number | null): number =>
      expiresAt({ firstDueAt: 0, type: 'transactional', lifetimes, latest });
    expect([of(HOUR), of(99 * HOUR), of(null)]).toEqual([HOUR, 48 * HOUR, 48 * HOUR]);
  });
});
