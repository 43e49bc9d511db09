// Reads that may take longer than a request waits. Each is its own reading without a time limit for the whole, and they run one at a
// time, because each reads as fast as it can.
import type { Log } from '../lib/runtime/index.js';
import { readAs, type Readings } from './engine/reading.js';

interface BackgroundReadsOptions {
  readings: Pick<Readings, 'open'> | null;
  log: Log;
  /** Names the reads in the log and among the owners that take turns in reader threads. */
  name: string;
}

export class BackgroundReads<T> {
  readonly #options: BackgroundReadsOptions;
  readonly #inProgress = new Map<string, Promise<T | null>>();
  #turn: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  constructor(options: BackgroundReadsOptions) {
    this.#options = options;
  }

  /** Joins the read of this key that waits or runs, or adds one. Resolves to null if it failed or was stopped, and logs a failure. */
  read(key: string, work: () => Promise<T>): Promise<T | null> {
    const known = this.#inProgress.get(key);
    if (known) return known;
    const { readings, log, name } = this.#options;
    const reading = this.#turn
      .then(() => (this.#isStopping ? null : readAs(readings, { owner: name, budgetMs: null }, work)))
      .catch((error: unknown) => {
        log.warn({ err: error, key }, `${name} failed`);
        return null;
      })
      .finally(() => {
        if (this.#inProgress.get(key) === reading) this.#inProgress.delete(key);
      });
    this.#turn = reading;
    this.#inProgress.set(key, reading);
    return reading;
  }

  /** Makes the next call start over, because what the running read finds is out of date. */
  forget(key: string): void {
    this.#inProgress.delete(key);
  }

  /** Resolves when no read runs. Waiting ones end without running. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#turn;
  }
}

/** Resolves to null if `work` takes longer than `ms`. The work continues. */
export function withPatience<T>(work: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
