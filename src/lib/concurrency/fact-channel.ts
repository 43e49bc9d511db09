// Facts about work that was done, for metrics and logs. Whoever does the work publishes the fact and knows no subscriber; without one
// it costs a comparison. Subscribers are of the process, as the log is.

export interface FactChannel<T> {
  /** False: the fact need not be made. */
  hasSubscribers(): boolean;
  /** Calls the subscribers at once. One that throws does not stop the work that the fact is about: Node warns of it. */
  publish(fact: T): void;
  /** The returned function ends it. */
  subscribe(subscriber: (fact: T) => void): () => void;
}

export function createFactChannel<T>(): FactChannel<T> {
  const subscribers = new Set<(fact: T) => void>();
  return {
    hasSubscribers: () => subscribers.size > 0,
    publish(fact) {
      for (const subscriber of subscribers) {
        try {
          subscriber(fact);
        } catch (error) {
          process.emitWarning(error instanceof Error ? error : String(error));
        }
      }
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
  };
}
