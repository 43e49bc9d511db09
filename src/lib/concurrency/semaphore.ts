// Limits how many asynchronous tasks run at the same time. The others wait in order of arrival.

interface Semaphore {
  /** Runs `task` once a permit is free. A task that throws frees its permit too. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /**
   * Does the same as `run`, but returns `null` without running if all permits are taken and `maxWaiting`
   * tasks wait already.
   */
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
      // Passes the permit on directly, so that a newcomer cannot overtake the line.
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
