import { expect, it } from 'vitest';
import { createLruCache } from '../../../src/lib/runtime/lru-cache.js';

it('forgets what was used longest ago when there are too many', () => {
  const cache = createLruCache<string, number>(3);
  for (const [i, name] of ['a', 'b', 'c'].entries()) cache.set(name, i);
  cache.get('a');
  cache.set('d', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd']);
  expect(cache.size).toBe(3);
});

it('keeps its bound however many come', () => {
  const cache = createLruCache<number, number>(1_000);
  for (let i = 0; i < 10_000; i += 1) cache.set(i, i);
  expect(cache.size).toBe(1_000);
  expect([...cache.keys()].every((key) => key >= 9_000)).toBe(true);
});

it('sets no room aside for what is not in it', () => {
  // More entries than fit into memory.
  expect(createLruCache<string, string>(2 ** 40).size).toBe(0);
});
