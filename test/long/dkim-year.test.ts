import { expect, test } from 'vitest';
import { runDkimYear } from '../support/dkim-year.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SHIPPED = {
  rotationMs: 180 * DAY,
  overlapMs: 14 * DAY,
  revokedKeepMs: 30 * DAY,
  usualStepMs: 3 * HOUR,
};

test.each([1, 2, 3])(
  'in a year with all kinds of domains no mail is signed by a key that is missing from DNS (seed %i)',
  async (seed) => {
    const end = await runDkimYear({ days: 400, ...SHIPPED, seed });
    console.log(JSON.stringify({ ...end, unseen: end.unseen.length, lost: end.lost.length }));
    expect(end.unseen).toEqual([]);
    expect(end.lost).toEqual([]);
    expect(end.longestHoldMs).toBeLessThan(HOUR);
    for (const count of Object.values(end.completed)) expect(count).toBeGreaterThanOrEqual(2);
  },
);

// Shows that the simulation would detect a problem.
const HASTY = {
  days: 40,
  rotationMs: 14 * DAY,
  overlapMs: 4 * DAY,
  revokedKeepMs: 5 * DAY,
  usualStepMs: 6 * HOUR,
};

test('with an overlap shorter than transit, some mail does not verify', async () => {
  const end = await runDkimYear({ ...HASTY, overlapMs: 2 * DAY, seed: 4 });
  expect(end.lost.length).toBeGreaterThan(0);
});

test('with keys that sign as soon as they are seen, some receivers still have cached names', async () => {
  const end = await runDkimYear({ ...HASTY, settleMs: 0, reusedNameMs: 0, seed: 4 });
  expect(end.unseen.length).toBeGreaterThan(0);
});
