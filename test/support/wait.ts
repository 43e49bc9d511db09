// Waiting for a value over a socket, with a deadline: asks less often than wait-until.ts does, since each question costs.
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 40;

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
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (isEnough(answer)) return answer;
    if (Date.now() > deadline) {
      throw new Error(`timed out waiting for ${what}; the last answer: ${JSON.stringify(answer)}`);
    }
    await pause(PAUSE_MS);
  }
}
