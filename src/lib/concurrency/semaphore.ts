// A semaphore: a bounded number of asynchronous tasks run at once, the others wait in the order of their arrival.

export interface Semaphore {
  /** Runs `task` when a permit is free. A task that throws frees its permit like any other. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** As `run`; null, and nothing was run, when all permits are taken and `maxWaiting` tasks wait already. */
  tryRun<T>(task: () => Promise<T>, maxWaiting: number): Promise<T> | null;
  inProgress(): number;
  waiting(): number;
}

export function createSemaphore(permits: number): Semaphore {
  const line: (() => void)[] = [];
  let taken = 0;

  async function run<T>(task: () => Promise<T>): Promise<T> {
    if (taken < permits) taken += 1;
    else await new Promise<void>((enter) => line.push(enter));
    try {
      return await task();
    } finally {
      const next = line.shift();
      // The permit passes on directly, so that a newcomer cannot overtake the line.
      if (next) next();
      else taken -= 1;
    }
  }

  return {
    run,
    tryRun: (task, maxWaiting) => (taken >= permits && line.length >= maxWaiting ? null : run(task)),
    inProgress: () => taken,
    waiting: () => line.length,
  };
}
