// Limits the sign-ups per minute of a client address, on the hosted page and on other websites together.
import {
  clientKeys,
  gcraCapacity,
  gcraNextAt,
  gcraTake,
  type RateLimit,
} from '../../lib/rate-limits/index.js';
import type { Clock } from '../../lib/runtime/index.js';

const MAX_CLIENTS = 20_000;
const MINUTE_MS = 60_000;

/** Counts a sign-up, or returns the seconds until the client may try again; null if it may now. */
export type SignUpLimit = (ip: string) => number | null;

/** `perMinute` 0 means no limit. */
export function createSignUpLimit(perMinute: number, clock: Clock): SignUpLimit {
  const rate: RateLimit = { count: perMinute, perMs: MINUTE_MS, burst: perMinute };
  const clients = new Map<string, number>();
  return (ip) => {
    if (perMinute === 0) return null;
    const now = clock();
    const { address } = clientKeys(ip);
    const tat = clients.get(address);
    if (gcraCapacity(tat, rate, now) < 1) {
      return Math.max(1, Math.ceil((gcraNextAt(tat, rate, now) - now) / 1000));
    }
    // The oldest are dropped first, so that many addresses do not block each other.
    clients.delete(address);
    clients.set(address, gcraTake(tat, rate, now));
    const oldest = clients.keys().next().value;
    if (clients.size > MAX_CLIENTS && oldest !== undefined) clients.delete(oldest);
    return null;
  };
}
