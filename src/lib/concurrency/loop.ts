// A work loop: one run after the other, then a wait for a wake-up or the interval. A fault is logged and the run repeated.
import { createWakeUp, type WakeUp } from './wake-up.js';
import type { Log } from '../runtime/index.js';
import type { Room } from './room.js';

export interface LoopOptions {
  name: string;
  /** One run. True when there may be more work at once; false to wait. `signal` is aborted by stop(). */
  run: (signal: AbortSignal) => Promise<boolean>;
  intervalMs: number;
  log: Log;
  wakeUp?: WakeUp;
  /** Runs are made only while this node has the room. */
  room?: Room | undefined;
  /** Wait after the first fault in a row; doubled by each further one, up to `maxBackoffMs`. */
  backoffMs?: number;
  maxBackoffMs?: number;
}

export interface Loop {
  start(): void;
  /** Resolves when the current run has ended; none starts after it. */
  stop(): Promise<void>;
}

/** A loop that does nothing until start(). Starting twice is one loop. */
export function createLoop(options: LoopOptions): Loop {
  const {
    name,
    run,
    intervalMs,
    log,
    wakeUp = createWakeUp(),
    room,
    backoffMs = 500,
    maxBackoffMs = 30_000,
  } = options;
  const stopping = new AbortController();
  // Faults wait here, so that a busy wake-up cannot turn a broken loop into a hot one.
  const pause = createWakeUp();
  let running: Promise<void> | undefined;
  let faultsInARow = 0;

  room?.onOpened(() => wakeUp.notify());

  /** False without a run while the room is another node's. */
  async function runInRoom(): Promise<boolean> {
    if (room === undefined) return run(stopping.signal);
    const leave = room.enter();
    if (leave === null) return false;
    try {
      return await run(stopping.signal);
    } finally {
      leave();
    }
  }

  async function tick(): Promise<void> {
    try {
      const hasMore = await runInRoom();
      faultsInARow = 0;
      if (!hasMore) await wakeUp.wait(intervalMs, stopping.signal);
      // A run that ends without touching the event loop must still let others in.
      else await new Promise(setImmediate);
    } catch (error) {
      const waitMs = Math.min(backoffMs * 2 ** Math.min(faultsInARow, 20), maxBackoffMs);
      faultsInARow += 1;
      log.error({ err: error, loop: name, faults: faultsInARow, wait_ms: waitMs }, 'loop failed');
      await pause.wait(waitMs, stopping.signal);
    }
  }

  async function runUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) await tick();
  }

  return {
    start() {
      running ??= runUntilStopped();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
