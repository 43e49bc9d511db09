// Waiting for a condition with a deadline, instead of sleeping.
import { pauseAfter } from './pause-after.js';

/** Resolves when `condition` holds; rejects with `what` after `deadlineMs`. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 30_000,
): Promise<void> {
  const begin = Date.now();
  while (!(await condition())) {
    const waited = Date.now() - begin;
    if (waited > deadlineMs) throw new Error(`timed out waiting until ${what}`);
    await pauseAfter(waited, { least: 5, most: 25 });
  }
}
