// Writes the commits since the last increment as increments into the spool.
import { type CommittedPages, type WalPosition, type WalTail } from '../database/engine/wal-tail.js';
import type { Clock } from '../lib/runtime/index.js';
import type { ReplicaNames } from './names.rules.js';
import { encodePageFile, fileHash, type IncrementHead, MOST_PAGES, type PageImages } from './page-file.js';
import type { Spool } from './spool.js';

/** Hash before the first increment. */
export const NO_HASH = '0'.repeat(64);

/** The last increment, and the log position at which the next one begins. */
export interface LastIncrement {
  number: number;
  hash: string;
  /** `null` for the start of the log. */
  position: WalPosition | null;
}

interface IncrementsOptions {
  tail: WalTail;
  spool: Spool;
  key: Buffer;
  names: ReplicaNames;
  clock: Clock;
}

export class Increments {
  readonly #options: IncrementsOptions;
  readonly generation: number;
  /** Pages of the increments since `takeChanged`; null if not all of them are known. */
  #changed: Set<number> | null = null;
  #last: LastIncrement;

  constructor(options: IncrementsOptions, generation: number, last: LastIncrement) {
    this.#options = options;
    this.generation = generation;
    this.#last = last;
  }

  get last(): LastIncrement {
    return this.#last;
  }

  /** Throws LogStartedAgain if the replica has missed commits. */
  capture(): void {
    const { tail, clock } = this.#options;
    const until = clock();
    const committed = tail.committedSince(this.#last.position);
    if (committed === null) return;
    for (const page of committed.offsets.keys()) this.#changed?.add(page);
    const pages = [...committed.offsets].toSorted(([, a], [, b]) => a - b);
    for (let i = 0; i < pages.length; i += MOST_PAGES) {
      const isLast = i + MOST_PAGES >= pages.length;
      this.#add(committed, { pages: this.#images(committed, pages.slice(i, i + MOST_PAGES)), isLast, until });
    }
  }

  /** Returns the pages that changed since the last call; null if not all of them are known. */
  takeChanged(): ReadonlySet<number> | null {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  /** Makes the next base copy a whole one. */
  forgetChanged(): void {
    this.#changed = null;
  }

  #images(
    { pageBytes }: CommittedPages,
    offsets: readonly (readonly [page: number, offset: number])[],
  ): PageImages {
    return offsets.map(([page, offset]) => {
      const image = Buffer.alloc(pageBytes);
      this.#options.tail.readPage(offset, image);
      return [page, image];
    });
  }

  /** A transaction that needs several increments starts over if the process ends between them. */
  #add(
    { from, to, pageBytes, databasePages }: CommittedPages,
    { pages, isLast, until }: { pages: PageImages; isLast: boolean; until: number },
  ): void {
    const { spool, key, names } = this.#options;
    const number = this.#last.number + 1;
    const head: IncrementHead = {
      ...({ format: 1, kind: 'increment' } as const),
      ...{ generation: this.generation, number, previous: this.#last.hash },
      ...{ page_bytes: pageBytes, pages: pages.length, database_pages: isLast ? databasePages : null },
      ...{ until: new Date(until).toISOString(), wal: isLast ? to : from },
    };
    const octets = encodePageFile(key, { head, pages });
    spool.add(names.increment(this.generation, number), octets, until);
    this.#last = { number, hash: fileHash(octets), position: isLast ? to : this.#last.position };
  }
}
