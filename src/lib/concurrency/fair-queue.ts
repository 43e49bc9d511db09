// Queues items and serves their owners in turn, so that many items of one owner don't delay the others.

export type FairQueue<Item> = {
  /** Returns false if the whole queue, or this owner's share of it, is full. */
  push: (owner: string, item: Item) => boolean;
  /** Returns taken items to the front of the owner's line; never refused. */
  putBack: (owner: string, items: readonly Item[]) => void;
  /** Takes up to `most` items of the next owner that `mayServe` allows; `null` if there is none. */
  take: (mayServe: (owner: string) => boolean, most: number) => { owner: string; items: Item[] } | null;
  /** Removes and returns everything. */
  drain: () => Item[];
  waiting: () => number;
};

export function createFairQueue<Item>(limits: { total: number; perOwner: number }): FairQueue<Item> {
  // A Map keeps the order of insertion, so the first owner has waited longest.
  const lines = new Map<string, Item[]>();
  let waiting = 0;

  return {
    push: (owner, item) => {
      const line = lines.get(owner) ?? [];
      if (waiting >= limits.total || line.length >= limits.perOwner) return false;
      line.push(item);
      lines.set(owner, line);
      waiting += 1;
      return true;
    },
    putBack: (owner, items) => {
      if (items.length === 0) return;
      lines.set(owner, [...items, ...(lines.get(owner) ?? [])]);
      waiting += items.length;
    },
    take: (mayServe, most) => {
      for (const [owner, line] of lines) {
        if (!mayServe(owner)) continue;
        const items = line.splice(0, most);
        lines.delete(owner);
        if (line.length > 0) lines.set(owner, line);
        waiting -= items.length;
        return { owner, items };
      }
      return null;
    },
    drain: () => {
      const items = [...lines.values()].flat();
      lines.clear();
      waiting = 0;
      return items;
    },
    waiting: () => waiting,
  };
}
