// Queues any number of items at constant cost. `shift` of an array moves all items of a long one.

/** Minimum number of taken items that are dropped together. */
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
