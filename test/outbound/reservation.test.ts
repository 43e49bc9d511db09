// Tests what a message in flight has reserved of the limits.
import { expect, it } from 'vitest';
import { checkAll, Reservation, reserveAll, UNLIMITED, type Limit } from '../../src/outbound/shape/limit.js';

/** A rate limit of `capacity` messages that only unsent ones give back. */
function rateOf(capacity: number): Limit<string> & { left: number } {
  const reason = { code: 'rate_limited', until: null, detail: '' } as const;
  return {
    name: 'rate',
    left: capacity,
    check() {
      return this.left > 0 ? { kind: 'open', capacity: this.left } : { kind: 'closed', reason };
    },
    reserve(_subject, count) {
      this.left -= count;
      return (ended, isSent) => {
        if (!isSent) this.left += ended;
        return !isSent;
      };
    },
  };
}

const none: Limit<string> = { name: 'none', check: () => UNLIMITED, reserve: () => null };

it('returns the smallest capacity of all limits, or the first closed one', () => {
  const [three, zero] = [rateOf(3), rateOf(0)];
  expect(checkAll([none, rateOf(5), three], '', 0)).toMatchObject({ kind: 'open', capacity: 3 });
  expect(checkAll([three, zero, none], '', 0)).toMatchObject({ kind: 'closed' });
  expect(checkAll([none], '', 0)).toEqual(UNLIMITED);
});

it('returns capacity for missing and then for unsent messages, and keeps the rest', () => {
  const rate = rateOf(10);
  const all = new Reservation('there.test', reserveAll([rate, none], '', 5, 0), 5);
  expect(rate.left).toBe(5);
  const [sent, unsent] = [all.split(), all.split()];
  expect(all.count).toBe(3);
  all.release(false);
  expect(rate.left).toBe(8);
  expect(unsent.release(false)).toBe(true);
  expect(rate.left).toBe(9);
  expect(sent.release(true)).toBe(false);
  expect(rate.left).toBe(9);
});

it('is released once, whatever happens to its message', () => {
  const rate = rateOf(1);
  const one = new Reservation('there.test', reserveAll([rate], '', 1, 0), 1);
  expect([one.release(false), one.release(false), one.release(true)]).toEqual([true, false, false]);
  expect(rate.left).toBe(1);
  expect(() => one.split()).toThrow('no message left');
});

it('also holds reservations that are added for its path later', () => {
  const path = rateOf(1);
  const all = new Reservation('there.test', [], 2);
  const [first, second] = [all.split(), all.split()];
  first.add(reserveAll([path], '', 1, 0));
  second.release(false);
  expect(path.left).toBe(0);
  first.release(false);
  expect(path.left).toBe(1);
});
