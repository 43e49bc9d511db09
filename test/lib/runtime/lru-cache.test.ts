import { expect, it } from 'vitest';
import { createLruCache } from '../../../src/lib/runtime/lru-cache.js';

it('drops the least recently used entries', () => {
  const cache = createLruCache<string, number>(3);
  for (const [i, name] of ['a', 'b', 'c'].entries()) cache.set(name, i);
  cache.get('a');
  cache.set('d', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd']);
  expect(cache.size).toBe(3);
});

it('never exceeds its limit', () => {
  const cache = createLruCache<number, number>(1_000);
  for (let i = 0; i < 10_000; i += 1) cache.set(i, i);
  expect(cache.size).toBe(1_000);
  expect([...cache.keys()].every((key) => key >= 9_000)).toBe(true);
});

it('reserves no space for missing entries', () => {
  // More entries than fit into memory.
  expect(createLruCache<string, string>(2 ** 40).size).toBe(0);
});
