// A mutex for each key: work that reads first and then writes is not done twice by callers that come at once.

export type KeyedMutex = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/** Runs with the same key follow each other, also after one that failed; each caller gets the result of its own run. */
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
