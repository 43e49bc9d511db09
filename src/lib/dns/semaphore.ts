// A gate that lets a bounded number of asynchronous tasks run at once; the rest wait in order.

export interface Gate {
  run<T>(task: () => Promise<T>): Promise<T>;
  running(): number;
  waiting(): number;
}

/** At most `limit` tasks inside at any time. A task that throws leaves like any other. */
export function createGate(limit: number): Gate {
  const queue: (() => void)[] = [];
  let running = 0;
  const leave = (): void => {
    const next = queue.shift();
    // The place passes on directly, so that a newcomer can't overtake those who wait.
    if (next) next();
    else running--;
  };
  return {
    run: async (task) => {
      if (running < limit) running++;
      else await new Promise<void>((enter) => queue.push(enter));
      try {
        return await task();
      } finally {
        leave();
      }
    },
    running: () => running,
    waiting: () => queue.length,
  };
}
