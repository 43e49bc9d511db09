// A queue that serves its owners in turn, so that the many items of one do not delay those of the others.

export type FairQueue<Item> = {
  /** False when the whole queue, or this owner's share of it, is full. */
  push: (owner: string, item: Item) => boolean;
  /** Puts back what was taken, to be served first when the owner's turn comes; never refused. */
  putBack: (owner: string, items: readonly Item[]) => void;
  /** Up to `most` items of the owner whose turn it is among those that `mayServe` allows; null when there is none. */
  take: (mayServe: (owner: string) => boolean, most: number) => { owner: string; items: Item[] } | null;
  /** Takes everything out. */
  drain: () => Item[];
  waiting: () => number;
};

export function createFairQueue<Item>(limits: { total: number; perOwner: number }): FairQueue<Item> {
  // A Map keeps the order of insertion: the first owner is the one that has waited longest.
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
