// Facts about work that was done, for metrics and logs. Whoever does the work tells the fact and knows no listener; without one
// it costs a comparison. Listeners are of the process, as the log is.

export interface FactChannel<T> {
  /** False: nobody listens, and the fact need not be made. */
  isHeard(): boolean;
  /** Calls the listeners at once. One that throws does not stop the work that it hears of: Node warns of it. */
  tell(fact: T): void;
  /** The returned function ends it. */
  listen(listener: (fact: T) => void): () => void;
}

export function createFactChannel<T>(): FactChannel<T> {
  const listeners = new Set<(fact: T) => void>();
  return {
    isHeard: () => listeners.size > 0,
    tell(fact) {
      for (const listener of listeners) {
        try {
          listener(fact);
        } catch (error) {
          process.emitWarning(error instanceof Error ? error : String(error));
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
