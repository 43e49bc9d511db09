// Totals of campaign previews. With many opt-outs a count takes seconds, so it runs in the background and is kept for a time that
// grows with its duration.
import type { LRUCache } from 'lru-cache';
import { BackgroundReads, withPatience } from '../../database/background-reads.js';
import { createLruCache } from '../../lib/runtime/index.js';
import type { CampaignContext } from '../context.js';
import { countEligible, type TotalTerms } from './audience-total.js';

/** Shortest time (ms) for which a total is kept. */
const KEEP_MS = 30_000;
/** Counting takes at most this fraction (1/n) of the time, however often it is requested. */
const SHARE = 10;
/** Time (ms) that a response waits for a count. */
const PATIENCE_MS = 2_000;
const TOTALS = 1_000;

interface Counted {
  /** Null if no count has succeeded yet. */
  total: number | null;
  freshUntil: number;
}

export class AudienceTotals {
  readonly #context: CampaignContext;
  readonly #reads: BackgroundReads<number>;
  readonly #counted: LRUCache<string, Counted> = createLruCache<string, Counted>(TOTALS);

  constructor(context: CampaignContext) {
    this.#context = context;
    const { readings } = context.store;
    this.#reads = new BackgroundReads({ readings, log: context.log, name: 'counting audiences' });
  }

  /** Returns the number of recipients, the last one while it is recounted, or null until the first count has succeeded. */
  async total(id: string, terms: TotalTerms): Promise<number | null> {
    const { list_number: list, segment_tag: tag } = terms.campaign;
    const key = `${id} ${list} ${tag ?? ''}`;
    const known = this.#counted.get(key);
    if (known && this.#context.clock() < known.freshUntil) return known.total;
    const counting = this.#reads.read({ owner: String(terms.scope.environmentId), key }, () =>
      this.#count(key, terms),
    );
    return (await withPatience(counting, PATIENCE_MS)) ?? known?.total ?? null;
  }

  /** Resolves when no count is in progress. */
  stop(): Promise<void> {
    return this.#reads.stop();
  }

  async #count(key: string, terms: TotalTerms): Promise<number> {
    const { clock } = this.#context;
    const startedAt = clock();
    let total = this.#counted.get(key)?.total ?? null;
    try {
      return (total = await countEligible(this.#context, terms));
    } finally {
      // A count that fails, such as one that takes too long, is not repeated immediately either.
      const endedAt = clock();
      const freshUntil = endedAt + Math.max(KEEP_MS, SHARE * (endedAt - startedAt));
      this.#counted.set(key, { total, freshUntil });
    }
  }
}
