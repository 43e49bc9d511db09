import { expect, test } from 'vitest';
import { runDkimYear } from '../support/dkim-year.js';
import { sized } from '../support/run-size.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** test/long/dkim-year.test.ts is the same with a whole year and the shipped times. */
test('keys rotate for weeks, and no mail is signed by a key that is missing from DNS, then or three days later', async () => {
  const end = await runDkimYear({
    ...{
      days: sized({ small: 38, full: 40 }),
      rotationMs: 14 * DAY,
      overlapMs: 4 * DAY,
      revokedKeepMs: 5 * DAY,
    },
    ...{ usualStepMs: sized({ small: 24, full: 6 }) * HOUR, seed: 4 },
  });
  expect(end.unseen).toEqual([]);
  expect(end.lost).toEqual([]);
  const mails = sized({ small: 300, full: 1_000 });
  expect(end.signed).toBeGreaterThan(mails);
  expect(end.arrived).toBeGreaterThan(mails);
  // Only domains whose keys were revoked waited, and not for long.
  expect(end.longestHoldMs).toBeLessThan(HOUR);
  for (const count of Object.values(end.completed)) expect(count).toBeGreaterThanOrEqual(1);
}, 120_000);
