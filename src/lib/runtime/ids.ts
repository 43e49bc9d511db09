// Generates public ids: `<prefix>_` and 26 characters of Crockford base32, with 48 bits of time before 80
// random bits (ULID layout).
import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const POOL_BYTES = 4096;

const pool = Buffer.alloc(POOL_BYTES);
let poolOffset = POOL_BYTES;

/**
 * Returns `count` random bytes from a pool that one system call refills for many ids. The caller may keep the
 * result.
 */
export function randomBytesPooled(count: number): Buffer {
  if (poolOffset + count > POOL_BYTES) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const bytes = Buffer.from(pool.subarray(poolOffset, poolOffset + count));
  poolOffset += count;
  return bytes;
}

function base32(value: number, characters: number): string {
  let text = '';
  for (let rest = value, i = 0; i < characters; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Generates an id. Ids of a kind, which have the same two or three letters as prefix, sort by `now` (epoch ms). */
export function newId(prefix: string, now: number): string {
  const chance = randomBytesPooled(16);
  let tail = '';
  for (let i = 0; i < 16; i++) tail += ALPHABET.charAt((chance[i] ?? 0) & 31);
  return `${prefix}_${base32(now, 10)}${tail}`;
}
