// Serializes work per key, so that concurrent callers don't repeat work that reads before it writes.

type KeyedMutex = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/** Creates a mutex. Runs with the same key follow each other, even after a failure, and each caller gets the result of its run. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return (key, run) => {
    const next = (last.get(key) ?? Promise.resolve()).then(run);
    const ended = next
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === ended) last.delete(key);
      });
    last.set(key, ended);
    return next;
  };
}
