// A line of any length: taking the first item costs the same however many wait. `shift` of an array moves all of a long one.

/** Taken items are dropped together, so many at least. */
const DROPPED = 1_024;

export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#first];
    if (this.length === 0) return undefined;
    this.#items[this.#first] = undefined;
    this.#first += 1;
    if (this.#first >= DROPPED && this.#first * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }
}
