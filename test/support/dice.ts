// Reproducible randomness: the same seed returns the same values.

export interface Dice {
  /** From 0 to `limit` - 1. */
  below: (limit: number) => number;
  chance: (share: number) => boolean;
  pick: <T>(from: readonly T[]) => T;
  /** Returns `count` of them in their order; fewer if there are not enough. */
  some: <T>(from: readonly T[], count: number) => T[];
}

/** Mulberry32. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: (from) => {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new Error('Nothing to pick from.');
      return picked;
    },
    some: (from, count) => {
      let wanted = Math.min(count, from.length);
      return from.filter((_, at) => {
        const isTaken = below(from.length - at) < wanted;
        if (isTaken) wanted -= 1;
        return isTaken;
      });
    },
  };
}
