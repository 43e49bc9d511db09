// The only way in which tests wait: for a condition with a deadline, never for a fixed time.
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Pauses between two checks grow with the wait, so that a long wait costs little: milliseconds, and parts of the elapsed time.
 */
const LEAST_MS = 5;
const MOST_MS = 100;
const SHARE = 1 / 10;

/**
 * Calls `ask` until `isEnough` holds for the result (by default, until it is truthy), and returns that result. Rejects after
 * `deadlineMs` with `what` and the last result.
 */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T> | T,
  isEnough: (answer: T) => boolean = Boolean,
  deadlineMs = 30_000,
): Promise<T> {
  const begin = Date.now();
  for (;;) {
    const answer = await ask();
    if (isEnough(answer)) return answer;
    const waited = Date.now() - begin;
    if (waited > deadlineMs) {
      throw new Error(`timed out waiting for ${what}; the last answer: ${JSON.stringify(answer)}`);
    }
    await pause(Math.min(MOST_MS, Math.max(LEAST_MS, waited * SHARE)));
  }
}
