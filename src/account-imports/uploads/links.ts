// Rows of numbers that refer to a row which comes later in a dump, such as the list memberships of a subscriber. They are packed,
// because there may be millions of them.

import { unusableFile } from './upload.js';

const FIRST_CAPACITY = 1024;
/** Rows with the same key. */
const MAX_PER_KEY = 10_000;

export class Links {
  readonly #width: number;
  /** Counts the memory that an upload holds. */
  readonly #hold: (rows: number) => void;
  /** Number of the last row of each key, from 1. */
  readonly #last = new Map<number, number>();
  /** The values of each row, after the number of the row before it with the same key. */
  #cells: Int32Array<ArrayBuffer>;
  #rows = 0;

  constructor(valuesPerRow: number, hold: (rows: number) => void) {
    this.#width = valuesPerRow + 1;
    this.#hold = hold;
    this.#cells = new Int32Array(FIRST_CAPACITY * this.#width);
  }

  add(key: number, values: readonly number[]): void {
    this.#hold(1);
    const start = this.#rows * this.#width;
    if (start === this.#cells.length) {
      const larger = new Int32Array(this.#cells.length * 2);
      larger.set(this.#cells);
      this.#cells = larger;
    }
    this.#cells[start] = this.#last.get(key) ?? 0;
    this.#cells.set(values, start + 1);
    this.#rows++;
    this.#last.set(key, this.#rows);
  }

  /** Returns the rows of a key in the order in which they were added, and forgets them. Throws a Refusal if they are too many. */
  take(key: number): number[][] {
    const found: number[][] = [];
    for (let row = this.#last.get(key) ?? 0; row > 0;) {
      const start = (row - 1) * this.#width;
      found.push([...this.#cells.subarray(start + 1, start + this.#width)]);
      row = this.#cells[start] ?? 0;
      if (found.length > MAX_PER_KEY) {
        throw unusableFile(`has a subscriber with more than ${MAX_PER_KEY} list memberships or bounces`);
      }
    }
    this.#last.delete(key);
    return found.toReversed();
  }
}
