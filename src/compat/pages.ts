// Reads pages in other vendors' form from lists of /v1: next to an object with a given id, or from an offset.
import { invalidFields } from '../contract/refusal.js';
import type { WireList } from './v1.js';

/** Page size in /v1. */
const PAGE = 100;
/** Most pages of /v1 that one request may read. */
const MAX_PAGES = 20;
/** Largest offset of a page. */
export const MAX_OFFSET = 1000;

type Query = Record<string, string | number | readonly string[] | undefined>;
type List<Item> = (query: Query) => Promise<WireList<Item>>;

interface ById<Item> {
  list: List<Item>;
  /** Refuses with `not_found`. */
  find: (id: string) => Promise<Dated>;
  /** Returns false for objects that the vendor's list omits. */
  isShown?: (item: Item) => boolean;
}

export interface WantedById {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
}

interface Dated {
  id: string;
  created_at: string;
}

/** Returns the objects after or before the one with an id, newest first, and whether there are more. */
export async function pageById<Item extends Dated>(
  { list, find, isShown = () => true }: ById<Item>,
  { limit, after, before }: WantedById,
): Promise<{ items: Item[]; hasMore: boolean }> {
  if (after !== undefined && before !== undefined) {
    throw invalidFields([{ path: 'before', message: 'cannot be combined with after' }]);
  }
  const id = after ?? before;
  const anchor = id === undefined ? null : await find(id);
  let isPast = anchor === null;
  const items: Item[] = [];
  for await (const item of itemsOf(list, anchor === null ? {} : beside(anchor, after !== undefined))) {
    // Objects of another millisecond are past the anchor even if the anchor was deleted.
    isPast ||= item.created_at !== anchor?.created_at;
    if (isPast && isShown(item)) items.push(item);
    else if (item.id === anchor?.id) isPast = true;
    if (items.length > limit) break;
  }
  const page = items.slice(0, limit);
  return { items: before === undefined ? page : page.reverse(), hasMore: items.length > limit };
}

/** Includes the anchor's own millisecond, in which other objects may have been created. */
function beside({ created_at: at }: Dated, isAfter: boolean): Query {
  if (!isAfter) return { created_after: at, order: 'created_at' };
  return { created_before: new Date(Date.parse(at) + 1).toISOString() };
}

/** Returns the objects from `offset` on, and the number of objects found so far, a lower bound of the total. */
export async function pageByOffset<Item>(
  list: List<Item>,
  { count, offset }: { count: number; offset: number },
  isShown: (item: Item) => boolean = () => true,
): Promise<{ items: Item[]; total: number }> {
  const items: Item[] = [];
  for await (const item of itemsOf(list, {})) {
    if (isShown(item)) items.push(item);
    if (items.length > offset + count) break;
  }
  return { items: items.slice(offset, offset + count), total: items.length };
}

async function* itemsOf<Item>(list: List<Item>, query: Query): AsyncGenerator<Item> {
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const found: WireList<Item> = await list({
      ...query,
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    yield* found.data;
    cursor = found.next_cursor;
    if (cursor === null) return;
  }
}
