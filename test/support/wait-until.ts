// Waiting for a condition with a deadline, instead of sleeping.
import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when `condition` holds; rejects with `what` after `deadlineMs`. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await pause(5);
  }
}
