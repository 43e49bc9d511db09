// Publishes facts about completed work for metrics and logs. Publishers don't know their subscribers; without
// one, publishing costs a comparison. Subscribers belong to the process, like the log.

interface FactChannel<T> {
  /** If false, the fact need not be created. */
  hasSubscribers(): boolean;
  /** Calls the subscribers synchronously. If one throws, Node emits a warning and the work continues. */
  publish(fact: T): void;
  /** Returns a function that unsubscribes. */
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
