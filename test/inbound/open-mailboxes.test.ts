// Tests the limits on mail for postmaster and abuse.
import { expect, it } from 'vitest';
import { OpenMailboxes } from '../../src/inbound/open-mailboxes.js';
import { fixedClock } from '../support/fixed-clock.js';

const LIMITS = { messageBytes: 100, networkBytesPerDay: 150, totalBytes: 400 };

function open(keptBytes = 0) {
  const clock = fixedClock();
  const kept = { bytes: keptBytes };
  const store = { inbound: { openMailboxBytes: () => Promise.resolve(kept.bytes) } };
  const config = { feedbackSources: ['198.51.100.1'] };
  const mailboxes = new OpenMailboxes({ store, config, clock: clock.now }, LIMITS);
  const take = async (size: number, address = '192.0.2.1') =>
    (await mailboxes.take(size, address))?.code ?? 250;
  return { take, clock, kept };
}

it('a mail that is too large is refused permanently', async () => {
  const { take } = open();
  expect([await take(101), await take(100)]).toEqual([552, 250]);
});

it('one network gets its share of a day, and others get theirs', async () => {
  const { take, clock } = open();
  expect([await take(100), await take(51, '192.0.2.200'), await take(50, '192.0.2.200')]).toEqual([
    250, 452, 250,
  ]);
  expect(await take(100, '203.0.113.1')).toBe(250);
  clock.advance(86_400_000);
  expect(await take(100)).toBe(250);
});

it('all together get the available space, until some is free again', async () => {
  const { take, clock, kept } = open(350);
  expect([await take(51), await take(50), await take(1, '203.0.113.1')]).toEqual([452, 250, 452]);
  kept.bytes = 100;
  clock.advance(61_000);
  expect(await take(100, '203.0.113.1')).toBe(250);
});

it('a configured source of complaints is limited only by mail size', async () => {
  const { take } = open(400);
  expect([await take(100, '198.51.100.1'), await take(101, '198.51.100.1')]).toEqual([250, 552]);
});
