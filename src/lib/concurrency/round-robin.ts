// Shares the main thread among streams. Each round of the event loop does one part of one stream's work, so
// that requests are answered in between. Owners take turns, however many streams each has.
import { createFairQueue } from './fair-queue.js';

export function createRoundRobin() {
  const waiting = createFairQueue<() => void>({ total: Infinity, perOwner: Infinity });

  function serve(): void {
    for (const begin of waiting.take(() => true, 1)?.items ?? []) begin();
    if (waiting.waiting() > 0) setImmediate(serve);
  }

  return {
    /** Resolves when it is the owner's turn, which lasts until the caller next awaits something. */
    turn(owner: string): Promise<void> {
      return new Promise((resolve) => {
        if (waiting.waiting() === 0) setImmediate(serve);
        waiting.push(owner, resolve);
      });
    },
  };
}
