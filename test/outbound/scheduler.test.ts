import { describe, expect, it } from 'vitest';
import type { Gate } from '../../src/outbound/schedule/admission.js';
import type { QueueKey } from '../../src/outbound/schedule/queue.store.js';
import { createLaneBoard, type LaneBoard } from '../../src/outbound/schedule/scheduler.js';
import { openGate } from '../support/open-gate.js';

const lane = (queueId: number, domain = 'there.test', rank = 1): QueueKey => ({
  queueId,
  environmentId: 1,
  mode: 'live',
  subTenantKey: '',
  domain,
  rank,
});
const boardFor = (perDomain: number): LaneBoard =>
  createLaneBoard({ gate: openGate(perDomain), maxPerTurn: 20 });
const room = (all: number, bulk = all) => ({ all, bulk });

describe('the lane board', () => {
  it('wakes a sleeping lane that turns out to be due earlier', () => {
    const board = boardFor(10);
    board.put(lane(1), 9_000, 0);
    board.put(lane(1), 500, 0);
    expect(board.pick(room(5), 400)).toEqual([]);
    expect(board.pick(room(5), 500)).toEqual([{ queueId: 1, limit: 5, place: 'there.test' }]);
  });

  it('brings a sleeping lane back after it was rung, emptied and put to sleep again', () => {
    const board = boardFor(10);
    board.put(lane(1), 9_000, 0);
    for (let round = 0; round < 3; round++) {
      board.ring(1);
      for (const pick of board.pick(room(5), 100)) board.claimed(pick, 0, 9_000, 100);
    }
    expect(board.nextDueAt()).toBe(9_000);
    expect(board.pick(room(5), 9_000)).toEqual([{ queueId: 1, limit: 5, place: 'there.test' }]);
    expect(board.nextDueAt()).toBeNull();
  });

  it('lets the lanes of a full domain take turns as its messages are settled', () => {
    const board = boardFor(2);
    for (const id of [1, 2, 3]) board.put(lane(id), 0, 0);
    const [first] = board.pick(room(10), 0);
    expect(first).toEqual({ queueId: 1, limit: 2, place: 'there.test' });
    if (first) board.claimed(first, 2, 0, 0);
    const turns: number[] = [];
    for (let settled = 0; settled < 6; settled++) {
      expect(board.pick(room(10), 0)).toEqual([]);
      board.released('there.test');
      for (const pick of board.pick(room(10), 0)) {
        turns.push(pick.queueId);
        board.claimed(pick, 1, 0, 0);
      }
    }
    expect(turns).toEqual([2, 3, 1, 2, 3, 1]);
  });

  it('leaves bulk mail out when its share of the room is used up, and not the password mail', () => {
    const board = boardFor(100);
    board.put(lane(1, 'there.test', 4), 0, 0);
    board.put(lane(2, 'other.test', 1), 0, 0);
    expect(board.pick(room(30, 0), 0)).toEqual([{ queueId: 2, limit: 20, place: 'other.test' }]);
  });

  it('wakes transactional mail before the bulk mail that has waited longer for the same place', () => {
    const board = boardFor(1);
    board.put(lane(1), 0, 0);
    const [first] = board.pick(room(10), 0);
    for (const id of [2, 3]) board.put(lane(id, 'there.test', 4), 0, 0);
    expect(board.pick(room(10), 0)).toEqual([]);
    board.put(lane(4), 0, 0);
    if (first) board.claimed(first, 1, null, 0);
    expect(board.pick(room(10), 0)).toEqual([]);
    board.released('there.test');
    expect(board.pick(room(10), 0).map(({ queueId }) => queueId)).toEqual([4]);
  });

  it('asks a closed gate again at the time that it gave, and earlier when it is told to', () => {
    const opensAt = { until: 5_000 };
    let isOpen = false;
    const gate = {
      ...openGate(10),
      allow: () =>
        isOpen ? { kind: 'go' as const, room: 10, place: 'x' } : { kind: 'closed' as const, ...opensAt },
    };
    const board = createLaneBoard({ gate, maxPerTurn: 20 });
    board.put(lane(1), 0, 0);
    expect(board.pick(room(5), 0)).toEqual([]);
    expect(board.nextDueAt()).toBe(5_000);
    isOpen = true;
    expect(board.pick(room(5), 100)).toEqual([]);
    board.reconsider();
    expect(board.pick(room(5), 100)).toEqual([{ queueId: 1, limit: 5, place: 'x' }]);
  });

  it('hands free room on when the lane that it woke may not go any more', () => {
    const closed = new Set<number>();
    const inner = openGate(1);
    const gate: Gate = {
      ...inner,
      allow: (facts, now) =>
        closed.has(facts.queueId) ? { kind: 'closed', until: null } : inner.allow(facts, now),
    };
    const board = createLaneBoard({ gate, maxPerTurn: 20 });
    for (const id of [1, 2, 3]) board.put(lane(id), 0, 0);
    const [first] = board.pick(room(10), 0);
    if (first) board.claimed(first, 1, null, 0);
    closed.add(2);
    board.released('there.test');
    expect(board.pick(room(10), 0).map(({ queueId }) => queueId)).toEqual([3]);
  });

  it('lets lanes that share one slow limit go in the order of their mail, also when they are asked about in between', () => {
    const EVERY = 60_000;
    let nextAt = 0;
    const gate: Gate = {
      ...openGate(10),
      allow: (_lane, now) =>
        now >= nextAt ? { kind: 'go', room: 1, place: 'x' } : { kind: 'closed', until: nextAt },
      take: () => void (nextAt = now + EVERY),
    };
    const board = createLaneBoard({ gate, maxPerTurn: 20 });
    // Message n is due at n, in lane n % 5 + 1.
    const waiting = new Map([1, 2, 3, 4, 5].map((id) => [id, [] as number[]]));
    for (let n = 0; n < 30; n++) waiting.get(((n * 3) % 5) + 1)?.push(n);
    let now = 100;
    const byDue = [...waiting].sort(([, a], [, b]) => (a[0] ?? 0) - (b[0] ?? 0));
    for (const [id, due] of byDue) board.put(lane(id, `d${id}.test`), due[0] ?? null, now);
    const went: number[] = [];
    for (; went.length < 30 && now < 100 + 31 * EVERY; now += EVERY / 2) {
      board.reconsider();
      for (const pick of board.pick(room(100), now)) {
        const due = waiting.get(pick.queueId) ?? [];
        went.push(...due.splice(0, 1));
        board.claimed(pick, 1, due[0] ?? null, now);
      }
      expect(board.pick(room(100), now)).toEqual([]);
    }
    expect(went).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });
});
