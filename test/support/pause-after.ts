// The pause between two looks at what a test waits for. It grows with the wait: looking every few milliseconds for seconds took a
// quarter of the processor from the program that was waited for.
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
