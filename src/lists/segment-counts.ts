// Counts the contacts of segments in the background, when a count is asked for and the last one is old.
import { type ContactList, contactLists } from '../contacts/lists/lists.tables.js';
import { update } from '../database/rows.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { ListContext } from './context.js';
import type { ListStores } from './stores.js';

const FRESH_MS = 60_000;
/** Time (ms) that a response waits for the count that it asked for. */
const PATIENCE_MS = 500;

export class SegmentCounts {
  readonly #store: Pick<ListStores, 'lists' | 'commit'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #inProgress = new Map<number, Promise<ContactList>>();
  /** Counts run one at a time, because each reads as fast as it can. */
  #turn: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  constructor({ store, clock, log }: Pick<ListContext, 'store' | 'clock' | 'log'>) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Returns the list with its number of contacts, recounted if the number is older than a minute. If counting takes longer
   * than a moment, or `inBackground` is set, it has the last number.
   */
  async counted(list: ContactList, { inBackground = false } = {}): Promise<ContactList> {
    if (list.filter === null) return list;
    if (list.counted_at !== null && this.#clock() - list.counted_at < FRESH_MS) return list;
    const counting = this.#begin(list).catch(() => list);
    if (inBackground) return list;
    return Promise.race([counting, patience(list)]);
  }

  /** Drops the count in progress, because the filter has changed. */
  forget(listNumber: number): void {
    this.#inProgress.delete(listNumber);
  }

  /** Resolves when no count is in progress. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#turn;
  }

  #begin(list: ContactList): Promise<ContactList> {
    const known = this.#inProgress.get(list.number);
    if (known) return known;
    const counting = this.#turn.then(() => this.#count(list));
    this.#turn = counting.catch((error: unknown) => {
      this.#log.warn({ err: error, list_id: list.id }, 'counting segment failed');
    });
    this.#inProgress.set(list.number, counting);
    void this.#turn.then(() => {
      if (this.#inProgress.get(list.number) === counting) this.#inProgress.delete(list.number);
    });
    return counting;
  }

  async #count(list: ContactList): Promise<ContactList> {
    if (this.#isStopping) return list;
    const contacts = await this.#store.lists.audienceCount({ list, segmentTag: null });
    const set = { contacts, counted_at: this.#clock() };
    // The number is wrong for another filter.
    const where = { number: list.number, filter: list.filter };
    await this.#store.commit([update(contactLists, { set, where })]);
    return { ...list, ...set };
  }
}

function patience(list: ContactList): Promise<ContactList> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(list), PATIENCE_MS).unref();
  });
}
