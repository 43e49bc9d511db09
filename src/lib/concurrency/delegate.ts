// Replaces an object while others use it, and repeats changes made meanwhile on the new one.
import type { Log } from '../runtime/index.js';

export class Delegate<T extends object> {
  readonly #log: Log;
  #object: T;
  #missed: ((object: T) => unknown)[] | null = null;

  constructor(first: T, log: Log) {
    this.#object = first;
    this.#log = log;
  }

  /** The current object. */
  get object(): T {
    return this.#object;
  }

  /** Does work that changes the object. During `replace` it is repeated on the new one. */
  change<R>(work: (object: T) => R): R {
    const result = work(this.#object);
    // Noted after the call, so that a refused change is not repeated.
    this.#missed?.push(work);
    return result;
  }

  /**
   * Changes that come while the new one is made may have missed it, so they are repeated on it. They must bear that. A repeat
   * that fails is logged.
   */
  async replace(make: () => Promise<T>): Promise<void> {
    this.#missed = [];
    try {
      this.#object = await make();
      const again = this.#missed;
      this.#missed = null;
      for (const work of again) void this.#repeat(work);
    } finally {
      this.#missed = null;
    }
  }

  async #repeat(work: (object: T) => unknown): Promise<void> {
    try {
      await work(this.#object);
    } catch (error) {
      this.#log.error({ err: error }, 'repeating a change after replacement failed: change lost');
    }
  }
}
