import { expect, it } from 'vitest';
import { createSlots } from '../../../src/lib/runtime/semaphore.js';

it('runs so many at once, the rest in their order, and refuses what the line has no room for', async () => {
  const slots = createSlots(2, 3);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const run = (n: number) =>
    slots.run(() => {
      begun.push(n);
      return new Promise<number>((resolve) => ends.push(() => resolve(n)));
    });
  const runs = [1, 2, 3, 4, 5].map(run);
  expect(begun).toEqual([1, 2]);
  expect(run(6)).toBeNull();
  for (let i = 0; i < 5; i++) {
    ends[i]?.();
    expect(await runs[i]).toBe(i + 1);
  }
  expect(begun).toEqual([1, 2, 3, 4, 5]);
});

it('gives the slot of work that failed to the next', async () => {
  const slots = createSlots(1, 1);
  const failed = slots.run(() => Promise.reject(new Error('no')));
  const next = slots.run(() => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
