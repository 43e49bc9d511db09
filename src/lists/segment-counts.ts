// Counts the contacts of segments, in the background, when a count is asked for and the last one is old.
import type { Clock } from '../lib/runtime/clock.js';
import type { Log } from '../lib/runtime/log.js';
import { type ContactList, contactLists } from '../contacts/lists/lists.tables.js';
import type { ListStores } from './stores.js';
import { update } from '../database/rows.js';

const FRESH_MS = 60_000;
/** Time (ms) that an answer waits for the count that it asked for. */
const PATIENCE_MS = 500;

export interface SegmentCountDeps {
  store: Pick<ListStores, 'lists' | 'commit'>;
  clock: Clock;
  log: Log;
}

export interface SegmentCounts {
  /**
   * The list with its number of contacts, counted anew when that is older than a minute; with the last number when
   * counting takes longer than a moment. `inBackground` does not even wait for that.
   */
  counted(list: ContactList, options?: { inBackground?: boolean }): Promise<ContactList>;
  /** After a change of the filter: what was counted before counts no more. */
  forget(listNumber: number): void;
  /** Resolves when nothing is being counted. */
  stop(): Promise<void>;
}

export function createSegmentCounts({ store, clock, log }: SegmentCountDeps): SegmentCounts {
  const inProgress = new Map<number, Promise<ContactList>>();
  /** One at a time: each of them reads as fast as it can. */
  let turn: Promise<unknown> = Promise.resolve();
  let isStopping = false;

  async function count(list: ContactList): Promise<ContactList> {
    if (isStopping) return list;
    const contacts = await store.lists.audienceCount({ list, segmentTag: null });
    const set = { contacts, counted_at: clock() };
    // Of another filter it would be the wrong number.
    const where = { number: list.number, filter: list.filter };
    await store.commit([update(contactLists, { set, where })]);
    return { ...list, ...set };
  }

  function begin(list: ContactList): Promise<ContactList> {
    const known = inProgress.get(list.number);
    if (known) return known;
    const counting = turn.then(() => count(list));
    turn = counting.catch((error: unknown) => {
      log.warn({ err: error, list_id: list.id }, 'counting segment failed');
    });
    inProgress.set(list.number, counting);
    void turn.then(() => {
      if (inProgress.get(list.number) === counting) inProgress.delete(list.number);
    });
    return counting;
  }

  return {
    async counted(list, { inBackground = false } = {}) {
      if (list.filter === null) return list;
      if (list.counted_at !== null && clock() - list.counted_at < FRESH_MS) return list;
      const counting = begin(list).catch(() => list);
      if (inBackground) return list;
      return Promise.race([counting, patience(list)]);
    },
    forget: (listNumber) => void inProgress.delete(listNumber),
    async stop() {
      isStopping = true;
      await turn;
    },
  };
}

function patience(list: ContactList): Promise<ContactList> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(list), PATIENCE_MS).unref();
  });
}
