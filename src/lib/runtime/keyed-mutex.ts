// One after the other for each key: what looks first and writes then is not done twice by those who come at once.

export type Turns = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/** Runs with the same key follow each other, whatever became of those before; what a run answers is its caller's. */
export function createTurns(): Turns {
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
