import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  PrepareSlots,
  type PrepareSlot,
  nextSlots,
  PREPARE_SLOT_DEFAULTS,
} from '../../src/outbound/deliver/prepare-slots.js';

const PASSWORD = 0;
const ORDINARY = 1;
const BULK = 4;
const SLOTS = 8;
const settings = { start: SLOTS, min: 2, max: SLOTS, targetMs: 50 };
const { min, max, targetMs } = PREPARE_SLOT_DEFAULTS;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the number of slots', () => {
  it.each([
    ['stays when a message takes the time that is aimed at', 20, targetMs, 20],
    ['falls on a slow machine', 20, 4 * targetMs, 19.5],
    ['grows on a quick one', 20, targetMs / 4, 21],
    ['stays at the least', min, 10_000, min],
    ['stays at the most', max, 0, max],
  ])('%s', (_what, slots, tookMs, expected) => {
    expect(nextSlots(slots, tookMs, PREPARE_SLOT_DEFAULTS)).toBe(expected);
  });

  it('stays within its bounds, even if the clock is set back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -10_000, max: 100_000 }), { maxLength: 500 }), (times) => {
        let slots = PREPARE_SLOT_DEFAULTS.start;
        for (const tookMs of times) {
          slots = nextSlots(slots, tookMs, PREPARE_SLOT_DEFAULTS);
          expect(slots).toBeGreaterThanOrEqual(min);
          expect(slots).toBeLessThanOrEqual(max);
        }
      }),
    );
  });

  it.each([
    ['a quick machine', 0.8],
    ['one that is a third as quick', 2.4],
    ['one that is a tenth as quick', 8],
  ])('delays a message of %s by no more than its time, if the minimum allows it', (_what, costMs) => {
    let slots = PREPARE_SLOT_DEFAULTS.start;
    // One processor, shared in turns: with all slots in use, a message takes as long as all of them.
    for (let i = 0; i < 1_000; i++)
      slots = nextSlots(slots, Math.floor(slots) * costMs, PREPARE_SLOT_DEFAULTS);
    expect(Math.floor(slots) * costMs).toBeLessThanOrEqual(Math.max(1.1 * targetMs, min * costMs));
    expect(slots).toBeGreaterThanOrEqual(Math.min(max, (0.8 * targetMs) / costMs));
  });
});

describe('preparation slots', () => {
  function slotsWith(time = { now: 0 }) {
    const slots = new PrepareSlots(() => time.now, settings);
    const order: string[] = [];
    return {
      slots,
      order,
      request: (name: string, rank: number): PrepareSlot => {
        const slot = slots.request(rank);
        if (slot.ready === null) order.push(name);
        else void slot.ready.then(() => order.push(name));
        return slot;
      },
    };
  }

  it('are free immediately as long as there are some, for bulk mail too', () => {
    const { request, order } = slotsWith();
    for (let i = 0; i <= SLOTS; i++) request(`bulk ${i}`, BULK);
    expect(order).toEqual(Array.from({ length: SLOTS }, (_, i) => `bulk ${i}`));
  });

  it('are free immediately for transactional mail, however much bulk mail is prepared or waits', () => {
    const { request, order } = slotsWith();
    for (let i = 0; i < 500; i++) request('bulk', BULK);
    request('password', PASSWORD);
    request('order', ORDINARY);
    expect(order.slice(-2)).toEqual(['password', 'order']);
  });

  it('go to the lowest rank first, in the order of requests', async () => {
    const { slots, request, order } = slotsWith();
    const used = Array.from({ length: SLOTS }, () => request('used', ORDINARY));
    request('bulk', BULK);
    request('order 1', ORDINARY);
    request('order 2', ORDINARY);
    request('password', PASSWORD);
    for (const slot of used) slots.release(slot);
    await turn();
    expect(order.slice(SLOTS)).toEqual(['password', 'order 1', 'order 2', 'bulk']);
  });

  it('can be hurried, and are given once', async () => {
    const { slots, request, order } = slotsWith();
    const used = Array.from({ length: SLOTS }, () => request('used', BULK));
    request('bulk', BULK);
    const hurried = request('hurried', BULK);
    slots.hurry(hurried, PASSWORD);
    slots.hurry(hurried, BULK);
    await turn();
    expect(order.slice(SLOTS)).toEqual(['hurried']);
    for (const slot of used) slots.release(slot);
    slots.release(hurried);
    await turn();
    expect(order.slice(SLOTS)).toEqual(['hurried', 'bulk']);
  });

  it('go to bulk mail in batches, and none is lost or used twice', async () => {
    const { slots, request, order } = slotsWith();
    const asked = Array.from({ length: 50 }, (_, i) => request(`bulk ${i}`, BULK));
    const [first] = asked;
    if (!first) throw new Error('no slot');
    slots.release(first);
    slots.release(first);
    await turn();
    expect(order).toHaveLength(SLOTS);
    for (let done = 1; done < asked.length;) {
      for (const slot of asked.slice(done, order.length)) slots.release(slot);
      done = order.length;
      await turn();
    }
    expect(order).toEqual(asked.map((_, i) => `bulk ${i}`));
  });

  it('decrease only if all are used and messages are slow', async () => {
    const time = { now: 0 };
    const { slots, request } = slotsWith(time);
    const alone = request('alone', BULK);
    time.now += 60_000;
    slots.release(alone);
    expect(slots.size).toBe(SLOTS);
    for (let round = 0; round < 40; round++) {
      const all = Array.from({ length: slots.size }, () => request('bulk', BULK));
      time.now += 1_000;
      for (const slot of all) slots.release(slot);
      await turn();
    }
    expect(slots.size).toBe(2);
  });
});
