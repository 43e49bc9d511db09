// Reads that may take longer than a request waits. Each is its own reading without a time limit for the whole. Only a few run at the
// same time, because each reads as fast as it can, and owners take turns, so that one with many reads does not delay the others.
import { createFairQueue } from '../lib/concurrency/index.js';
import type { Log } from '../lib/runtime/index.js';
import { readAs, type Readings } from './engine/reading.js';

/** Each of the running reads has a different owner. */
const MOST_RUNNING = 2;

interface BackgroundReadsOptions {
  readings: Pick<Readings, 'open'> | null;
  log: Log;
  /** Names the reads in the log and among the owners that take turns in reader threads. */
  name: string;
}

export class BackgroundReads<T> {
  readonly #options: BackgroundReadsOptions;
  readonly #inProgress = new Map<string, Promise<T | null>>();
  readonly #waiting = createFairQueue<() => void>({ total: Infinity, perOwner: Infinity });
  /** Owners of the running reads. */
  readonly #running = new Map<string, Promise<T | null>>();
  #isStopping = false;

  constructor(options: BackgroundReadsOptions) {
    this.#options = options;
  }

  /** Joins the read of this key that waits or runs, or adds one. Resolves to null if it failed or was stopped, and logs a failure. */
  read({ owner, key }: { owner: string; key: string }, work: () => Promise<T>): Promise<T | null> {
    const known = this.#inProgress.get(key);
    if (known) return known;
    let begin: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (begin = resolve))
      .then(() => this.#run(key, work))
      .finally(() => {
        if (this.#inProgress.get(key) === reading) this.#inProgress.delete(key);
        this.#running.delete(owner);
        this.#serve();
      });
    this.#inProgress.set(key, reading);
    this.#waiting.push(owner, () => {
      this.#running.set(owner, reading);
      begin();
    });
    this.#serve();
    return reading;
  }

  /** Makes the next call start over, because what the running read finds is out of date. */
  forget(key: string): void {
    this.#inProgress.delete(key);
  }

  /** Resolves when no read runs. Waiting ones end without running. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  async #run(key: string, work: () => Promise<T>): Promise<T | null> {
    if (this.#isStopping) return null;
    const { readings, log, name } = this.#options;
    try {
      return await readAs(readings, { owner: name, budgetMs: null }, work);
    } catch (error) {
      log.warn({ err: error, key }, `${name} failed`);
      return null;
    }
  }

  #serve(): void {
    while (this.#running.size < MOST_RUNNING) {
      const next = this.#waiting.take((owner) => !this.#running.has(owner), 1);
      if (next === null) return;
      for (const begin of next.items) begin();
    }
  }
}

/** Resolves to null if `work` takes longer than `ms`. The work continues. */
export function withPatience<T>(work: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
