// Creates caches that forget the least recently used entries.
import { LRUCache } from 'lru-cache';

/**
 * Creates a cache of at most `max` entries whose memory grows with its content. LRUCache with `max` reserves the memory of all
 * entries in advance, which for some dozen caches is a large part of a start.
 */
export function createLruCache<K extends string | number, V extends object | string | number>(
  max: number,
  options: { ttl?: number; perf?: { now(): number } } = {},
): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: max, sizeCalculation: () => 1, ...options });
}
