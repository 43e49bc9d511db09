import { describe, expect, it } from 'vitest';
import { createLaneBoard } from '../../src/work/queue/lane-board.js';

const lane = (laneId: number, domain = 'there.test', rank = 1) => ({ laneId, domain, rank });

describe('the lane board', () => {
  it('wakes a sleeping lane that turns out to be due earlier', () => {
    const board = createLaneBoard({ maxPerDomain: 10, maxPerTurn: 20 });
    board.put(lane(1), 9_000, 0);
    board.put(lane(1), 500, 0);
    expect(board.pick(5, 400)).toEqual([]);
    expect(board.pick(5, 500)).toEqual([{ laneId: 1, limit: 5 }]);
  });

  it('brings a sleeping lane back after it was rung, emptied and put to sleep again', () => {
    const board = createLaneBoard({ maxPerDomain: 10, maxPerTurn: 20 });
    board.put(lane(1), 9_000, 0);
    for (let round = 0; round < 3; round++) {
      board.ring(1);
      for (const pick of board.pick(5, 100)) board.claimed(pick, 0, 9_000, 100);
    }
    expect(board.nextDueAt()).toBe(9_000);
    expect(board.pick(5, 9_000)).toEqual([{ laneId: 1, limit: 5 }]);
    expect(board.nextDueAt()).toBeNull();
  });

  it('lets the lanes of a full domain take turns as its messages are settled', () => {
    const board = createLaneBoard({ maxPerDomain: 2, maxPerTurn: 20 });
    for (const id of [1, 2, 3]) board.put(lane(id), 0, 0);
    const [first] = board.pick(10, 0);
    expect(first).toEqual({ laneId: 1, limit: 2 });
    if (first) board.claimed(first, 2, 0, 0);
    const turns: number[] = [];
    for (let settled = 0; settled < 6; settled++) {
      expect(board.pick(10, 0)).toEqual([]);
      board.released('there.test');
      for (const pick of board.pick(10, 0)) {
        turns.push(pick.laneId);
        board.claimed(pick, 1, 0, 0);
      }
    }
    expect(turns).toEqual([2, 3, 1, 2, 3, 1]);
  });
});
