// Caches that forget what was used longest ago.
import { LRUCache } from 'lru-cache';

/**
 * Of at most `max` entries. Its memory grows with what is in it; LRUCache with `max` sets the room for all entries aside when it
 * is made, which for some dozen caches is a large part of a start.
 */
export function createLruCache<K extends string | number, V extends object | string | number>(
  max: number,
  options: { ttl?: number; perf?: { now(): number } } = {},
): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: max, sizeCalculation: () => 1, ...options });
}
