import { describe, expect, it } from 'vitest';
import type { Admission } from '../../src/outbound/schedule/admission.js';
import type { QueueKey } from '../../src/outbound/schedule/queue.store.js';
import { Scheduler, type FreeCapacity, type QueuePick } from '../../src/outbound/schedule/scheduler.js';
import type { Reservation } from '../../src/outbound/shape/limit.js';
import { sized } from '../support/run-size.js';
import { closedUntil, openAdmission } from '../support/open-admission.js';

const queue = (queueId: number, domain = 'there.test', rank = 1): QueueKey => ({
  queueId,
  environmentId: 1,
  mode: 'live',
  side: null,
  subTenantKey: '',
  domain,
  rank,
});

function schedulerWith(admission: Admission) {
  const scheduler = new Scheduler({ admission, maxPerTurn: 20 });
  const inFlight: Reservation[] = [];
  return {
    scheduler,
    pick: (free: FreeCapacity, now: number) => scheduler.pick(free, now),
    picked: (free: FreeCapacity, now: number) =>
      scheduler.pick(free, now).map(({ queueId, limit, reservation }) => ({
        queueId,
        limit,
        group: reservation.group,
      })),
    /** So many messages were there. */
    claimed: (pick: QueuePick, taken: number, dueAt: number | null, now: number): void => {
      for (let i = 0; i < taken; i++) inFlight.push(pick.reservation.split());
      scheduler.claimed(pick, dueAt, now);
    },
    /** The message that was claimed first has ended. */
    end: (): void => {
      const ended = inFlight.shift();
      if (!ended) throw new Error('nothing is in flight');
      ended.release(true);
      scheduler.slotFreed(ended.group);
    },
  };
}

const schedulerFor = (perDomain: number) => schedulerWith(openAdmission(perDomain));
const free = (all: number, bulk = all): FreeCapacity => ({ all, bulk });

describe('the scheduler', () => {
  it('wakes a sleeping queue that becomes due earlier', () => {
    const { scheduler, picked } = schedulerFor(10);
    scheduler.put(queue(1), 9_000, 0);
    scheduler.put(queue(1), 500, 0);
    expect(picked(free(5), 400)).toEqual([]);
    expect(picked(free(5), 500)).toEqual([{ queueId: 1, limit: 5, group: 'there.test' }]);
  });

  it('restores a sleeping queue that was notified, emptied and put to sleep again', () => {
    const { scheduler, pick, picked, claimed } = schedulerFor(10);
    scheduler.put(queue(1), 9_000, 0);
    for (let round = 0; round < 3; round++) {
      scheduler.notify(1);
      for (const found of pick(free(5), 100)) claimed(found, 0, 9_000, 100);
    }
    expect(scheduler.nextDueAt()).toBe(9_000);
    expect(picked(free(5), 9_000)).toEqual([{ queueId: 1, limit: 5, group: 'there.test' }]);
    expect(scheduler.nextDueAt()).toBeNull();
  });

  it('lets the queues of a domain at its limit take turns as their messages end', () => {
    const { scheduler, pick, claimed, end } = schedulerFor(2);
    for (const id of [1, 2, 3]) scheduler.put(queue(id), 0, 0);
    const [first] = pick(free(10), 0);
    expect(first).toMatchObject({ queueId: 1, limit: 2 });
    if (first) claimed(first, 2, 0, 0);
    const turns: number[] = [];
    for (let ended = 0; ended < 6; ended++) {
      expect(pick(free(10), 0)).toEqual([]);
      end();
      for (const found of pick(free(10), 0)) {
        turns.push(found.queueId);
        claimed(found, 1, 0, 0);
      }
    }
    expect(turns).toEqual([2, 3, 1, 2, 3, 1]);
  });

  it('skips bulk mail, but not a password mail, when the bulk share of free capacity is used up', () => {
    const { scheduler, picked } = schedulerFor(100);
    scheduler.put(queue(1, 'there.test', 4), 0, 0);
    scheduler.put(queue(2, 'other.test', 1), 0, 0);
    expect(picked(free(30, 0), 0)).toEqual([{ queueId: 2, limit: 20, group: 'other.test' }]);
  });

  it('wakes transactional mail before bulk mail that has waited longer for the same slot', () => {
    const { scheduler, pick, claimed, end } = schedulerFor(1);
    scheduler.put(queue(1), 0, 0);
    const [first] = pick(free(10), 0);
    for (const id of [2, 3]) scheduler.put(queue(id, 'there.test', 4), 0, 0);
    expect(pick(free(10), 0)).toEqual([]);
    scheduler.put(queue(4), 0, 0);
    if (first) claimed(first, 1, null, 0);
    expect(pick(free(10), 0)).toEqual([]);
    end();
    expect(pick(free(10), 0).map(({ queueId }) => queueId)).toEqual([4]);
  });

  it('checks a closed limit again at its announced time, or earlier when notified', () => {
    const inner = openAdmission(10);
    let isOpen = false;
    const { scheduler, picked } = schedulerWith({
      ...inner,
      check: () => (isOpen ? { kind: 'open', capacity: 10, group: 'x' } : closedUntil(5_000)),
    });
    scheduler.put(queue(1), 0, 0);
    expect(picked(free(5), 0)).toEqual([]);
    expect(scheduler.nextDueAt()).toBe(5_000);
    isOpen = true;
    expect(picked(free(5), 100)).toEqual([]);
    scheduler.recheck();
    expect(picked(free(5), 100)).toEqual([{ queueId: 1, limit: 5, group: 'x' }]);
  });

  it('passes a free slot on if the woken queue can no longer use it', () => {
    const closed = new Set<number>();
    const inner = openAdmission(1);
    const { scheduler, pick, claimed, end } = schedulerWith({
      ...inner,
      check: (key, now) => (closed.has(key.queueId) ? closedUntil(null) : inner.check(key, now)),
    });
    for (const id of [1, 2, 3]) scheduler.put(queue(id), 0, 0);
    const [first] = pick(free(10), 0);
    if (first) claimed(first, 1, null, 0);
    closed.add(2);
    end();
    expect(pick(free(10), 0).map(({ queueId }) => queueId)).toEqual([3]);
  });

  it('releases reservations for missing messages to others', () => {
    const { scheduler, pick, picked, claimed } = schedulerFor(5);
    scheduler.put(queue(1), 0, 0);
    scheduler.put(queue(2), 0, 0);
    const [first] = pick(free(10), 0);
    expect(first?.limit).toBe(5);
    if (first) claimed(first, 2, null, 0);
    expect(picked(free(10), 0)).toEqual([{ queueId: 2, limit: 3, group: 'there.test' }]);
  });

  it('ignores queues of other nodes until their paths may have moved to this node', () => {
    const elsewhere = new Set([2]);
    const checked: number[] = [];
    const inner = openAdmission(10);
    const { scheduler, pick } = schedulerWith({
      ...inner,
      check(key, now) {
        checked.push(key.queueId);
        return elsewhere.has(key.queueId) ? { kind: 'elsewhere' } : inner.check(key, now);
      },
    });
    for (const id of [1, 2]) scheduler.put(queue(id, id === 1 ? 'there.test' : 'other.test'), 0, 0);
    expect(pick(free(30), 0).map(({ queueId }) => queueId)).toEqual([1]);
    expect(scheduler.notify(2)).toBe(true);
    scheduler.put(queue(2, 'other.test'), 0, 0);
    scheduler.recheck();
    elsewhere.clear();
    expect(pick(free(30), 0)).toEqual([]);
    expect(checked).toEqual([1, 2]);
    scheduler.forgetElsewhere();
    expect(scheduler.notify(2)).toBe(false);
    scheduler.put(queue(2, 'other.test'), 0, 0);
    expect(pick(free(30), 0).map(({ queueId }) => queueId)).toEqual([2]);
  });

  it('serves queues that share one slow limit in the order of their mail, even if they are checked in between', () => {
    const EVERY = 60_000;
    let nextAt = 0;
    const inner = openAdmission(10);
    const { scheduler, pick, claimed } = schedulerWith({
      check: (_queue, now) =>
        now >= nextAt ? { kind: 'open', capacity: 1, group: 'x' } : closedUntil(nextAt),
      reserve(...args) {
        nextAt = now + EVERY;
        return inner.reserve(...args);
      },
    });
    // Message n is due at n, in queue n % 5 + 1.
    const waiting = new Map([1, 2, 3, 4, 5].map((id) => [id, [] as number[]]));
    for (let n = 0; n < 30; n++) waiting.get(((n * 3) % 5) + 1)?.push(n);
    let now = 100;
    const byDue = [...waiting].sort(([, a], [, b]) => (a[0] ?? 0) - (b[0] ?? 0));
    for (const [id, due] of byDue) scheduler.put(queue(id, `d${id}.test`), due[0] ?? null, now);
    const went: number[] = [];
    for (; went.length < 30 && now < 100 + 31 * EVERY; now += EVERY / 2) {
      scheduler.recheck();
      for (const found of pick(free(100), now)) {
        const due = waiting.get(found.queueId) ?? [];
        went.push(...due.splice(0, 1));
        claimed(found, 1, due[0] ?? null, now);
      }
      expect(pick(free(100), now)).toEqual([]);
    }
    expect(went).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });
});

describe('very many queues', () => {
  const MANY = sized({ small: 20_000, full: 100_000 });

  it('behind a limit are checked in batches', () => {
    let checks = 0;
    const admission: Admission = {
      ...openAdmission(1),
      check: () => {
        checks += 1;
        return { kind: 'closed', reason: { code: 'concurrency_limited', until: null, detail: '' } };
      },
    };
    const { scheduler, pick } = schedulerWith(admission);
    for (let id = 1; id <= MANY; id++) scheduler.put(queue(id), 0, 0);
    let most = 0;
    for (let round = 0; round < 2; round++) {
      do {
        const before = checks;
        expect(pick(free(200), 1)).toEqual([]);
        most = Math.max(most, checks - before);
      } while (scheduler.hasUnchecked);
      expect(checks).toBe((round + 1) * MANY);
      scheduler.recheck();
    }
    expect(most).toBeLessThanOrEqual(1_000);
  });

  it('that are due together all take turns', () => {
    const { scheduler, pick, claimed } = schedulerFor(1);
    for (let id = 1; id <= MANY; id++) scheduler.put(queue(id, `d${id}.test`), 5_000, 0);
    const seen = new Set<number>();
    while (seen.size < MANY) {
      const picks = pick(free(500), 5_000);
      expect(picks.length).toBeGreaterThan(0);
      for (const one of picks) {
        seen.add(one.queueId);
        claimed(one, 0, null, 5_000);
      }
    }
    expect(pick(free(500), 5_000)).toEqual([]);
    expect(scheduler.nextDueAt()).toBeNull();
  });
});
