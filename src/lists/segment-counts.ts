// Counts the contacts of segments in the background, when a count is asked for and the last one is old.
import { type ContactList, contactLists } from '../contacts/lists/lists.tables.js';
import { BackgroundReads, withPatience } from '../database/background-reads.js';
import { update } from '../database/rows.js';
import type { Clock } from '../lib/runtime/index.js';
import type { ListContext } from './context.js';
import type { ListStores } from './stores.js';

const FRESH_MS = 60_000;
/** Time (ms) that a response waits for the count that it asked for. */
const PATIENCE_MS = 500;

export class SegmentCounts {
  readonly #store: Pick<ListStores, 'lists' | 'commit'>;
  readonly #clock: Clock;
  readonly #reads: BackgroundReads<ContactList>;

  constructor({ store, clock, log }: Pick<ListContext, 'store' | 'clock' | 'log'>) {
    this.#store = store;
    this.#clock = clock;
    this.#reads = new BackgroundReads({ readings: store.readings, log, name: 'counting segments' });
  }

  /**
   * Returns the list with its number of contacts, recounted if the number is older than a minute. If counting takes longer
   * than a moment, or `inBackground` is set, it has the last number.
   */
  async counted(list: ContactList, { inBackground = false } = {}): Promise<ContactList> {
    if (list.filter === null) return list;
    if (list.counted_at !== null && this.#clock() - list.counted_at < FRESH_MS) return list;
    const counting = this.#reads.read({ owner: String(list.environment_id), key: list.id }, () =>
      this.#count(list),
    );
    if (inBackground) return list;
    return (await withPatience(counting, PATIENCE_MS)) ?? list;
  }

  /** Drops the count in progress, because the filter has changed. */
  forget(listId: string): void {
    this.#reads.forget(listId);
  }

  /** Resolves when no count is in progress. */
  stop(): Promise<void> {
    return this.#reads.stop();
  }

  async #count(list: ContactList): Promise<ContactList> {
    const contacts = await this.#store.lists.audienceCount({ list, segmentTag: null });
    const set = { contacts, counted_at: this.#clock() };
    // The number is wrong for another filter.
    const where = { number: list.number, filter: list.filter };
    await this.#store.commit([update(contactLists, { set, where })]);
    return { ...list, ...set };
  }
}
