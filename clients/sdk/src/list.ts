// Lists: awaited they are one page, iterated they are every object of every page.

/** A page of results in the API's list format. */
export interface Envelope<Item> {
  object: 'list';
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

/** One page of results. */
export type Page<Item, E extends Envelope<Item> = Envelope<Item>> = E & {
  /** Fetches the next page. Resolves to null after the last page. */
  next(): Promise<Page<Item, E> | null>;
};

/**
 * A list that is fetched when you use it: `await` it for the first page, or iterate over all objects with `for
 * await`.
 */
export class List<Item, E extends Envelope<Item> = Envelope<Item>>
  implements AsyncIterable<Item>, PromiseLike<Page<Item, E>>
{
  readonly #read: (cursor: string | null) => Promise<E>;
  #first: Promise<Page<Item, E>> | null = null;

  constructor(read: (cursor: string | null) => Promise<E>) {
    this.#read = read;
  }

  /** Fetches the first page. The result is reused unless the request failed. */
  page(): Promise<Page<Item, E>> {
    this.#first ??= this.#pageAt(null).catch((error: unknown) => {
      this.#first = null;
      throw error;
    });
    return this.#first;
  }

  // A list is awaited like the promise of its first page.
  then<A = Page<Item, E>, B = never>(
    onPage?: ((page: Page<Item, E>) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.page().then(onPage, onError);
  }

  /** Iterates over pages. A page can be empty and still be followed by another. */
  async *pages(): AsyncGenerator<Page<Item, E>, void, undefined> {
    for (let page: Page<Item, E> | null = await this.page(); page !== null; page = await page.next()) {
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  async #pageAt(cursor: string | null): Promise<Page<Item, E>> {
    const envelope = await this.#read(cursor);
    const next = async (): Promise<Page<Item, E> | null> => {
      const { has_more: hasMore, next_cursor: after } = envelope;
      return hasMore && after !== null && after !== cursor ? this.#pageAt(after) : null;
    };
    // Not part of the page's JSON.
    Object.defineProperty(envelope, 'next', { value: next, enumerable: false });
    return envelope as Page<Item, E>;
  }
}
