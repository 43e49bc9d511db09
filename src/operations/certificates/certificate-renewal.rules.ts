// Decides when a certificate is renewed, and when a failed attempt is retried.

const LIFE_SHARE = 3;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const FIRST_WAIT_MS = MINUTE_MS;
// Tripling means at most five attempts in the first hour, which is what authorities allow for one name.
const GROWTH = 3;
const JITTER = 0.2;
const LONGEST_WAIT_MS = 12 * HOUR_MS;
/** Longest wait that a server may request. */
const LONGEST_ASKED_MS = 7 * DAY_MS;

/** Times are epoch ms. */
interface Life {
  notBefore: number;
  notAfter: number;
}

/**
 * Returns the time (epoch ms) from which a certificate is renewed: `renewBeforeMs` before its end, but not before two thirds of
 * its lifetime have passed. 0 means the last third of its lifetime.
 */
export function renewalAt({ notBefore, notAfter }: Life, renewBeforeMs: number): number {
  const shareMs = Math.max(0, Math.floor((notAfter - notBefore) / LIFE_SHARE));
  return notAfter - (renewBeforeMs > 0 ? Math.min(renewBeforeMs, shareMs) : shareMs);
}

/** Compares names regardless of order and case. */
export function areSameNames(some: readonly string[], others: readonly string[]): boolean {
  const inOrder = (names: readonly string[]): string[] =>
    [...new Set(names.map((name) => name.toLowerCase()))].sort();
  return inOrder(some).join('\n') === inOrder(others).join('\n');
}

type RenewalReason = 'first' | 'names' | 'authority' | 'end';

export interface RenewalInput {
  /** The stored certificate; `null` if there is none. */
  held: (Life & { names: readonly string[] }) | null;
  /** Origins of the stored and of a new certificate. `null` if unknown. */
  heldFrom: string | null;
  from: string;
  names: readonly string[];
  renewBeforeMs: number;
  now: number;
}

/** Returns why the certificate must be replaced, or `null` if it need not be. */
export function renewalReason(input: RenewalInput): RenewalReason | null {
  const { held, heldFrom, from, now } = input;
  if (held === null) return 'first';
  if (!areSameNames(held.names, input.names)) return 'names';
  if (heldFrom !== null && heldFrom !== from) return 'authority';
  return now >= renewalAt(held, input.renewBeforeMs) ? 'end' : null;
}

/**
 * Returns the time (epoch ms) of the next attempt after `failures` (at least 1) consecutive failures. Waits are 1, 3, 9, 27, 81
 * minutes and so on, up to 12 hours, and never shorter than the server requested. `jitter` in [0, 1) extends the wait by up to a
 * fifth.
 */
export function nextTryAt(input: {
  failures: number;
  now: number;
  jitter: number;
  askedWaitMs: number | null;
}): number {
  const { failures, now, jitter, askedWaitMs } = input;
  const stepMs = FIRST_WAIT_MS * GROWTH ** Math.min(Math.max(failures - 1, 0), 12);
  const spread = 1 + JITTER * jitter;
  const waitMs = Math.min(stepMs, LONGEST_WAIT_MS / (1 + JITTER)) * spread;
  const askedMs = Math.min(askedWaitMs ?? 0, LONGEST_ASKED_MS);
  return now + Math.round(Math.max(waitMs, askedMs));
}

/** Returns whether a stored time has come. A time beyond the longest wait was written by a wrong clock, so it counts as due. */
export function isTryDue(tryAt: number, now: number): boolean {
  return now >= tryAt || tryAt - now > LONGEST_ASKED_MS + LONGEST_WAIT_MS;
}
