// Tests sub-tenants (a few, 50 in full size) for three simulated days, up to five of them bad, with a window of a day: who is
// warned, throttled, paused (in full size) and released when, and that no others are. test/long has a thousand of them.
import { afterEach, expect, it, vi } from 'vitest';
import { runManyTenants, type Habit } from '../support/many-tenants.js';
import { isFullSize, sized } from '../support/run-size.js';

afterEach(() => {
  vi.useRealTimers();
});

const BAD: Habit[] = [
  { kind: 'bad', perWindow: 300, complaints: 0.02, from: 0.5 },
  { kind: 'bad', perWindow: 300, complaints: 0.004, from: 0.5 },
  { kind: 'bad', perWindow: 1_100, everyDelivered: 550 },
  { kind: 'bad', perWindow: 250, complaints: 0.03, from: 0, to: 1 },
  { kind: 'bad', perWindow: 200, bounces: 0.25, from: 1 },
];
const GOOD = { quiet: 35, near: 4, small: 6 };
/** Fewer in the small size, with less mail: two that are throttled, and one that is bad for a day. */
const SHORT: Habit = { kind: 'bad', perWindow: 100, complaints: 0.03, from: 0, to: 1 };
const THROTTLED = sized({
  small: {
    ...{ seed: 5, good: { quiet: 2, near: 0, small: 1 } },
    bad: [...BAD.slice(0, 2).map((habit) => ({ ...habit, perWindow: 240 })), SHORT],
  },
  full: { seed: 8, good: GOOD, bad: BAD },
});
const options = { days: 3, windowDays: 1, seed: 7 };

it('bad sub-tenants are warned, throttled and freed within one sweep, in order across restarts, and good ones are not affected', async () => {
  const { told, ...figures } = await runManyTenants({ ...options, ...THROTTLED, pauses: false });
  expect(figures).toMatchObject({ tenants: sized({ small: 6, full: 50 }), sweeps: 288 });
  // It is stopped eight times, and killed after a message of a throttled one was sent.
  expect(figures.restarts).toBeGreaterThan(8);
  expect(figures.throttledMessages).toBeGreaterThan(300);
  expect(told['tenant_warned']).toBeGreaterThan(0);
  expect(told['tenant_throttled']).toBeGreaterThan(1);
  expect(told['tenant_recovered']).toBeGreaterThan(1);
}, 60_000);

// In the small size, reputation-sweep.test.ts tests pauses, and paused-sub-tenant.test.ts what continues meanwhile.
it.runIf(isFullSize)(
  'with the option on bad sub-tenants are paused, and their mail keeps its position when they are resumed',
  async () => {
    const { told } = await runManyTenants({ ...options, good: GOOD, bad: BAD, pauses: true });
    expect(told['tenant_paused']).toBeGreaterThan(1);
  },
  60_000,
);
