import { expect, it } from 'vitest';
import { createSemaphore } from '../../../src/lib/concurrency/semaphore.js';

it('runs a limited number at once, queues others in order, and refuses those beyond the queue', async () => {
  const semaphore = createSemaphore(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const run = (n: number) =>
    semaphore.tryRun(() => {
      begun.push(n);
      return new Promise<number>((resolve) => ends.push(() => resolve(n)));
    }, 3);
  const runs = [1, 2, 3, 4, 5].map(run);
  expect(begun).toEqual([1, 2]);
  expect(run(6)).toBeNull();
  for (let i = 0; i < 5; i++) {
    ends[i]?.();
    expect(await runs[i]).toBe(i + 1);
  }
  expect(begun).toEqual([1, 2, 3, 4, 5]);
});

it('passes the permit of a failed task to the next', async () => {
  const semaphore = createSemaphore(1);
  const failed = semaphore.run(() => Promise.reject(new Error('no')));
  const next = semaphore.run(() => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
