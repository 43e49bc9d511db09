import { expect, it } from 'vitest';
import { groupSize } from '../../src/store/committer.js';

/** Sizes of the groups of so many clients, each of which waits for its answer; those answered are back `later` groups on. */
function groupsOf(clients: number, later: number): number[] {
  const sizes: number[] = [];
  const returning = Array.from({ length: later }, () => 0);
  let waiting = clients;
  let before = 0;
  for (let i = 0; i < 40; i += 1) {
    const size = groupSize(waiting, before);
    sizes.push(size);
    returning.push(size);
    waiting += (returning.shift() ?? 0) - size;
    before = size;
  }
  return sizes.slice(-4);
}

it('makes equal groups of clients that are back only after the next group has begun', () => {
  expect(groupsOf(50, 1)).toEqual([25, 25, 25, 25]);
  expect(groupsOf(200, 1)).toEqual([100, 100, 100, 100]);
});

it('takes all clients at once when they are back before the next group begins', () => {
  expect(groupsOf(50, 0)).toEqual([50, 50, 50, 50]);
});

it('does not divide a few', () => {
  for (let waiting = 1; waiting < 8; waiting += 1) expect(groupSize(waiting, 0)).toBe(waiting);
  expect(groupSize(8, 0)).toBe(4);
});
