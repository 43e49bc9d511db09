import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Fifo } from '../../../src/lib/concurrency/fifo.js';

it('returns items in the order of insertion, like an array', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3_000, max: 3_000 }), { maxLength: 20 }), (steps) => {
      const fifo = new Fifo<number>();
      const array: number[] = [];
      let last = 0;
      for (const step of steps) {
        for (let i = 0; i < step; i++) {
          fifo.push((last += 1));
          array.push(last);
        }
        const taken: (number | undefined)[] = [];
        for (let i = 0; i > step; i--) taken.push(fifo.shift());
        const expected = array.splice(0, taken.length);
        expect([taken.length, taken.filter((item) => item !== undefined)]).toEqual([
          Math.max(0, -step),
          expected,
        ]);
        expect(fifo.length).toBe(array.length);
      }
    }),
  );
});

it('holds a hundred thousand items without duplicates', () => {
  const fifo = new Fifo<number>();
  for (let i = 0; i < 100_000; i++) fifo.push(i);
  const taken = Array.from({ length: 100_000 }, () => fifo.shift());
  expect(taken.every((item, index) => item === index)).toBe(true);
  expect(fifo.shift()).toBeUndefined();
  expect(fifo.length).toBe(0);
});
