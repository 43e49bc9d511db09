// Repeats work: runs it, then waits for a wake-up or the interval. Errors are logged and the run is repeated.
import { createWakeUp, type WakeUp } from './wake-up.js';
import type { Log } from '../runtime/index.js';
import type { Room } from './room.js';

interface LoopOptions {
  name: string;
  /** Performs one run. Returns true if there may be more work, and false to wait. `stop` aborts `signal`. */
  run: (signal: AbortSignal) => Promise<boolean>;
  intervalMs: number;
  log: Log;
  wakeUp?: WakeUp;
  /** Restricts runs to times when this node has the room. */
  room?: Room | undefined;
  /** Wait after the first error in a row. Each further one doubles it, up to `maxBackoffMs`. */
  backoffMs?: number;
  maxBackoffMs?: number;
}

export interface Loop {
  start(): void;
  /** Resolves when the current run has ended; no other starts. */
  stop(): Promise<void>;
}

/** Creates a loop that does nothing until `start`. Starting it twice has no effect. */
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
  // Waits after errors use their own wake-up, so that frequent notifications cannot make a failing loop spin.
  const pause = createWakeUp();
  let running: Promise<void> | undefined;
  let faultsInARow = 0;

  room?.onOpened(() => wakeUp.notify());

  /** Returns false without a run while another node has the room. */
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
      // Yields to the event loop, because a run may never await it.
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
