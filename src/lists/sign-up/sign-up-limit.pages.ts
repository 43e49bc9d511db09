// Limits the sign-ups of a client address in a minute, on the hosted page and forms of other sites together.
import { clientKeys } from '../../lib/smtp-server/client-limits.rules.js';
import { gcraNextAt, gcraRoom, gcraTake, type RateLimit } from '../../lib/runtime/gcra.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';

const MAX_CLIENTS = 20_000;
const MINUTE_MS = 60_000;

/** Answers after how many seconds the client may try again; null: it may now, and that is counted. */
export type SignUpLimit = (ip: string) => number | null;

/** `perMinute` 0: no limit. */
export function createSignUpLimit(perMinute: number, clock: Clock): SignUpLimit {
  const rate: RateLimit = { count: perMinute, perMs: MINUTE_MS, burst: perMinute };
  const clients = new Map<string, number>();
  return (ip) => {
    if (perMinute === 0) return null;
    const now = clock();
    const { address } = clientKeys(ip);
    const tat = clients.get(address);
    if (gcraRoom(tat, rate, now) < 1) {
      return Math.max(1, Math.ceil((gcraNextAt(tat, rate, now) - now) / 1000));
    }
    // The oldest are forgotten first: whoever comes from so many addresses is not held up by this.
    clients.delete(address);
    clients.set(address, gcraTake(tat, rate, now));
    const oldest = clients.keys().next().value;
    if (clients.size > MAX_CLIENTS && oldest !== undefined) clients.delete(oldest);
    return null;
  };
}
