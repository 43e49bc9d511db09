// Waiting for a value over a socket, with a deadline: asks less often than wait-until.ts does, since each question costs.
import { pauseAfter } from './pause-after.js';

/**
 * Asks until `isEnough` holds for the answer, and returns that answer. Rejects after `deadlineMs` with `what` and the
 * last answer.
 */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T> | T,
  isEnough: (answer: T) => boolean,
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
    await pauseAfter(waited, { least: 25, most: 120 });
  }
}
