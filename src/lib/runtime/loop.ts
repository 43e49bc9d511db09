// A work loop: one beat after the other, then a wait for the bell or the interval. A fault is logged and
// retried.
import { createBell, type Bell } from './wake-up.js';
import type { Log } from './log.js';

export interface LoopOptions {
  name: string;
  /** One beat. True when there may be more work at once; false to wait. `signal` is aborted by stop(). */
  run: (signal: AbortSignal) => Promise<boolean>;
  intervalMs: number;
  log: Log;
  bell?: Bell;
  /** Wait after the first fault in a row; doubled by each further one, up to `maxBackoffMs`. */
  backoffMs?: number;
  maxBackoffMs?: number;
}

export interface Loop {
  start(): void;
  /** Resolves when the running beat has ended; no beat starts after it. */
  stop(): Promise<void>;
}

/** A loop that does nothing until start(). Starting twice is one loop. */
export function createLoop(options: LoopOptions): Loop {
  const { name, run, intervalMs, log, bell = createBell(), backoffMs = 500, maxBackoffMs = 30_000 } = options;
  const stopping = new AbortController();
  // Faults wait here, so that a busy bell cannot turn a broken loop into a hot one.
  const pause = createBell();
  let running: Promise<void> | undefined;
  let faultsInARow = 0;

  async function beat(): Promise<void> {
    try {
      const hasMore = await run(stopping.signal);
      faultsInARow = 0;
      if (!hasMore) await bell.wait(intervalMs, stopping.signal);
      // A beat that settles without touching the event loop must still let others in.
      else await new Promise(setImmediate);
    } catch (error) {
      const waitMs = Math.min(backoffMs * 2 ** Math.min(faultsInARow, 20), maxBackoffMs);
      faultsInARow += 1;
      log.error({ err: error, loop: name, faults: faultsInARow, wait_ms: waitMs }, 'loop fault');
      await pause.wait(waitMs, stopping.signal);
    }
  }

  async function turn(): Promise<void> {
    while (!stopping.signal.aborted) await beat();
  }

  return {
    start() {
      running ??= turn();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
