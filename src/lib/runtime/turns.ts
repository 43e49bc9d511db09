// Turns on the main thread: work that many streams have at the same time is done one part per round of the event loop, so
// that requests are answered between two parts. Owners take turns, however many streams each has.
import { createFairQueue } from './fair-queue.js';

export interface Turns {
  /** Resolves when it is the owner's turn, which lasts until the caller next waits for something. */
  take(owner: string): Promise<void>;
}

export function createTurns(): Turns {
  const waiting = createFairQueue<() => void>({ total: Infinity, perOwner: Infinity });

  function serve(): void {
    for (const begin of waiting.take(() => true, 1)?.items ?? []) begin();
    if (waiting.waiting() > 0) setImmediate(serve);
  }

  return {
    take(owner) {
      return new Promise((resolve) => {
        if (waiting.waiting() === 0) setImmediate(serve);
        waiting.push(owner, resolve);
      });
    },
  };
}
