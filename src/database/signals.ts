// Signals let a noun announce an event of a transaction to nouns above it, which act in the same transaction.
import type { Writing } from './committer.js';

/** The noun that emits a signal defines it. */
export interface Signal<T> {
  readonly name: string;
  /** Used by the compiler only. */
  readonly value?: T;
}

export function defineSignal<T>(name: string): Signal<T> {
  return { name };
}

interface SignalHandler {
  readonly signal: Signal<never>;
  readonly handle: (writing: Writing, value: never) => Promise<void>;
}

export function onSignal<T>(
  signal: Signal<T>,
  handle: (writing: Writing, value: T) => Promise<void>,
): SignalHandler {
  return { signal: signal as Signal<never>, handle };
}

export class Signals {
  readonly #handlers = new Map<Signal<never>, SignalHandler['handle'][]>();

  constructor(handlers: readonly SignalHandler[]) {
    for (const { signal, handle } of handlers) {
      this.#handlers.set(signal, [...(this.#handlers.get(signal) ?? []), handle]);
    }
  }

  async emit<T>(writing: Writing, signal: Signal<T>, value: T): Promise<void> {
    for (const handle of this.#handlers.get(signal as Signal<never>) ?? []) {
      await handle(writing, value as never);
    }
  }
}
