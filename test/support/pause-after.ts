// The pause between two looks at what a test waits for. It grows with the wait: looking every few milliseconds for seconds was
// about a tenth of the program suite's processor time.
import { setTimeout as pause } from 'node:timers/promises';

/** Part of the time waited so far by which a test may notice late what it waits for. */
const LATE = 1 / 10;

/** Milliseconds all. */
export async function pauseAfter(
  waited: number,
  { least, most }: { least: number; most: number },
): Promise<void> {
  await pause(Math.min(most, Math.max(least, waited * LATE)));
}
