// Lists: awaited they are one page, iterated they are every object of every page.

/** The envelope of every list. */
export interface Envelope<Item> {
  object: 'list';
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

/** One page, as the API answered it. */
export type Page<Item, E extends Envelope<Item> = Envelope<Item>> = E & {
  /** The page after this one; null after the last. */
  next(): Promise<Page<Item, E> | null>;
};

/** A list that nobody has asked for yet: `await` it for its first page, or iterate over it with `for await`. */
export class List<Item, E extends Envelope<Item> = Envelope<Item>>
  implements AsyncIterable<Item>, PromiseLike<Page<Item, E>>
{
  readonly #read: (cursor: string | null) => Promise<E>;
  #first: Promise<Page<Item, E>> | null = null;

  constructor(read: (cursor: string | null) => Promise<E>) {
    this.#read = read;
  }

  /** The first page. It is asked for once, and again after a failure. */
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

  /** The pages one after the other. A page may be empty and have another one after it. */
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
