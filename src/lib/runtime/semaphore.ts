// At most so many at once; those who come later wait in line, and the line has an end.

export interface Slots {
  /** Runs `work` when a slot is free. Null where the line is full: nothing was run. */
  run<T>(work: () => Promise<T>): Promise<T> | null;
}

export function createSlots(count: number, maxWaiting: number): Slots {
  const waiting: (() => void)[] = [];
  let taken = 0;

  async function runNow<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      taken -= 1;
      waiting.shift()?.();
    }
  }

  return {
    run(work) {
      if (taken < count) {
        taken += 1;
        return runNow(work);
      }
      if (waiting.length >= maxWaiting) return null;
      return new Promise((resolve, reject) => {
        waiting.push(() => {
          taken += 1;
          runNow(work).then(resolve, reject);
        });
      });
    },
  };
}
