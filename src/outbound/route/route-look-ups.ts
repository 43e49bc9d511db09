// Look-ups of routes to domains of which nothing is known yet, before anything of their queues is claimed: on which node's path a domain
// lies shows only then.
import type { Log } from '../../lib/runtime/log.js';
import type { Clock } from '../../lib/runtime/clock.js';

/** Domains that are looked up at once. */
const MOST_AT_ONCE = 32;
/** A look-up that failed by a fault of ours is repeated after this time (ms). */
const AGAIN_MS = 5_000;

export interface RouteLookUpsDeps {
  /** Afterwards the router knows the domain. */
  lookUp: (domain: string) => Promise<unknown>;
  /** The domain is known. */
  onKnown: (domain: string) => void;
  clock: Clock;
  log: Log;
}

export class RouteLookUps {
  readonly #deps: RouteLookUpsDeps;
  /** In the order in which they were asked for. */
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  /** Domains that failed, and when they are asked for again. */
  readonly #failed = new Map<string, number>();

  constructor(deps: RouteLookUpsDeps) {
    this.#deps = deps;
  }

  /** Looks the domain up, once. When it may be asked for again; null: `onKnown` says. */
  ask(domain: string): number | null {
    const failedUntil = this.#failed.get(domain);
    if (failedUntil !== undefined) {
      const now = this.#deps.clock();
      if (failedUntil > now && failedUntil <= now + AGAIN_MS) return failedUntil;
      this.#failed.delete(domain);
    }
    if (!this.#running.has(domain)) this.#waiting.add(domain);
    this.#pump();
    return null;
  }

  #pump(): void {
    for (const domain of this.#waiting) {
      if (this.#running.size >= MOST_AT_ONCE) return;
      this.#waiting.delete(domain);
      this.#running.add(domain);
      this.#run(domain).catch((error: unknown) =>
        this.#deps.log.error({ err: error, domain }, 'look-up fault'),
      );
    }
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
