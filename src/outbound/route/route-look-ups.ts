// Look-ups of routes to domains of which nothing is known yet, before anything of their queues is claimed: on which node's path a domain
// lies shows only then.
import type { Log } from '../../lib/runtime/log.js';
import type { Clock } from '../../lib/runtime/clock.js';

/** Domains that are looked up at once. */
const MOST_AT_ONCE = 256;
/** A look-up that failed by a fault of ours is repeated after this time (ms). */
const AGAIN_MS = 5_000;

export interface RouteLookUpsDeps {
  /** Other nodes live, so that a path may be theirs. */
  isNeeded: () => boolean;
  /** Afterwards the router knows the domain. */
  lookUp: (domain: string) => Promise<unknown>;
  /** The domain is known. */
  onKnown: (domain: string) => void;
  clock: Clock;
  log: Log;
}

export class RouteLookUps {
  readonly #deps: RouteLookUpsDeps;
  /** By rank, the lowest first; in the order in which they were asked for. */
  readonly #waiting = new Map<number, Set<string>>();
  readonly #running = new Set<string>();
  /** Domains that failed, and when they are asked for again. */
  readonly #failed = new Map<string, number>();

  constructor(deps: RouteLookUpsDeps) {
    this.#deps = deps;
  }

  isNeeded(): boolean {
    return this.#deps.isNeeded();
  }

  /** Looks the queue's domain up, once. When it may be asked for again; null: `onKnown` says. */
  ask({ domain, rank }: { domain: string; rank: number }): number | null {
    const failedUntil = this.#failed.get(domain);
    if (failedUntil !== undefined) {
      const now = this.#deps.clock();
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
        this.#deps.log.error({ err: error, domain }, 'route lookup failed'),
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
      await this.#deps.lookUp(domain);
    } catch (error) {
      this.#failed.set(domain, this.#deps.clock() + AGAIN_MS);
      throw error;
    } finally {
      this.#running.delete(domain);
      this.#deps.onKnown(domain);
      this.#pump();
    }
  }
}
