// Looks up routes to unknown domains before anything is claimed from their queues, because only the lookup shows which node's path
// the domain belongs to.
import type { ShapingContext } from '../shape/context.js';
import type { Clock, Log } from '../../lib/runtime/index.js';

/** Domains that are looked up at the same time. */
const MOST_AT_ONCE = 256;
/** Time (ms) after which a lookup that failed with an internal error is repeated. */
const AGAIN_MS = 5_000;

interface RouteLookUpsOptions {
  /** Other nodes live, so that a path may be theirs. */
  isNeeded: () => boolean;
  /** Afterwards the router knows the domain. */
  lookUp: (domain: string) => Promise<unknown>;
  onKnown: (domain: string) => void;
}

export class RouteLookUps {
  /** Other nodes live, so that a path may be theirs. */
  readonly #isNeeded: () => boolean;
  /** Afterwards the router knows the domain. */
  readonly #lookUp: (domain: string) => Promise<unknown>;
  /** The domain is known. */
  readonly #onKnown: (domain: string) => void;
  readonly #clock: Clock;
  readonly #log: Log;
  /** By rank, the lowest first; in the order in which they were asked for. */
  readonly #waiting = new Map<number, Set<string>>();
  readonly #running = new Set<string>();
  /** Domains that failed, and when they are asked for again. */
  readonly #failed = new Map<string, number>();

  constructor(
    { isNeeded, lookUp, onKnown }: RouteLookUpsOptions,
    { clock, log }: Pick<ShapingContext, 'clock' | 'log'>,
  ) {
    this.#isNeeded = isNeeded;
    this.#lookUp = lookUp;
    this.#onKnown = onKnown;
    this.#clock = clock;
    this.#log = log;
  }

  isNeeded(): boolean {
    return this.#isNeeded();
  }

  /** Looks up the queue's domain once. Returns when it may be looked up again; `null` if `onKnown` reports the result. */
  ask({ domain, rank }: { domain: string; rank: number }): number | null {
    const failedUntil = this.#failed.get(domain);
    if (failedUntil !== undefined) {
      const now = this.#clock();
      if (failedUntil > now && failedUntil <= now + AGAIN_MS) return failedUntil;
      this.#failed.delete(domain);
    }
    if (!this.#running.has(domain)) {
      const ofRank = this.#waiting.get(rank) ?? new Set();
      this.#waiting.set(rank, ofRank.add(domain));
    }
    this.#pump();
    return null;
  }

  #pump(): void {
    while (this.#running.size < MOST_AT_ONCE) {
      const domain = this.#next();
      if (domain === null) return;
      if (this.#running.has(domain)) continue;
      this.#running.add(domain);
      this.#run(domain).catch((error: unknown) =>
        this.#log.error({ err: error, domain }, 'route lookup failed'),
      );
    }
  }

  #next(): string | null {
    for (const rank of [...this.#waiting.keys()].sort((a, b) => a - b)) {
      const ofRank = this.#waiting.get(rank);
      const [domain] = ofRank ?? [];
      if (domain === undefined) this.#waiting.delete(rank);
      else {
        ofRank?.delete(domain);
        return domain;
      }
    }
    return null;
  }

  async #run(domain: string): Promise<void> {
    try {
      await this.#lookUp(domain);
    } catch (error) {
      this.#failed.set(domain, this.#clock() + AGAIN_MS);
      throw error;
    } finally {
      this.#running.delete(domain);
      this.#onKnown(domain);
      this.#pump();
    }
  }
}
