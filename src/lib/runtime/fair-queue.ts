// A waiting line with one lane per owner, served in turns, so that one owner's many items delay nobody else's.

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
  // A Map keeps the order of insertion: the first lane is the one that has waited longest for its turn.
  const lanes = new Map<string, Item[]>();
  let waiting = 0;

  return {
    push: (owner, item) => {
      const lane = lanes.get(owner) ?? [];
      if (waiting >= limits.total || lane.length >= limits.perOwner) return false;
      lane.push(item);
      lanes.set(owner, lane);
      waiting += 1;
      return true;
    },
    putBack: (owner, items) => {
      if (items.length === 0) return;
      lanes.set(owner, [...items, ...(lanes.get(owner) ?? [])]);
      waiting += items.length;
    },
    take: (mayServe, most) => {
      for (const [owner, lane] of lanes) {
        if (!mayServe(owner)) continue;
        const items = lane.splice(0, most);
        lanes.delete(owner);
        if (lane.length > 0) lanes.set(owner, lane);
        waiting -= items.length;
        return { owner, items };
      }
      return null;
    },
    drain: () => {
      const items = [...lanes.values()].flat();
      lanes.clear();
      waiting = 0;
      return items;
    },
    waiting: () => waiting,
  };
}
