import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_WARM_UP as plan,
  firstWarmUp,
  warmUpCounted,
  warmUpRoom,
  warmUpStage,
  type WarmUpPlan,
  type WarmUpState,
} from '../../src/outbound/shape/warm-up.rules.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 1);
const [TRANSACTIONAL, BULK] = [1, 4];
const fresh = firstWarmUp({ startedAt: START, now: START });

const roomAt = (state: WarmUpState, now: number, rank = TRANSACTIONAL, of: WarmUpPlan = plan): number =>
  warmUpRoom(state, of, { now, rank }).room;

/** Uses all available capacity at `now`. */
function fill(state: WarmUpState, now: number, rank = TRANSACTIONAL, of: WarmUpPlan = plan): WarmUpState {
  return warmUpCounted(state, 'sent', now, roomAt(state, now, rank, of));
}

/** A day of unlimited mail from `from` on, with these replies. */
function day(
  state: WarmUpState,
  from: number,
  answers: { deferred?: number; complained?: number } = {},
): WarmUpState {
  let after = state;
  for (let hour = 0; hour < 24; hour++) after = fill(after, from + hour * HOUR);
  after = warmUpCounted(after, 'deferred', from + DAY - 1, answers.deferred ?? 0);
  return warmUpCounted(after, 'complained', from + DAY - 1, answers.complained ?? 0);
}

describe('the plan', () => {
  it('takes 28 days from 50 to 50,000 and never more than doubles', () => {
    const caps = plan.dailyCaps;
    expect([caps.length, caps[0], caps.at(-1)]).toEqual([28, 50, 50_000]);
    caps.forEach((cap, index) => {
      expect(cap / (caps[index - 1] ?? cap)).toBeGreaterThanOrEqual(1);
      expect(cap / (caps[index - 1] ?? cap)).toBeLessThanOrEqual(25 / 12);
    });
  });

  it('allows the full cap on each good day, and has no cap afterwards', () => {
    let state = fresh;
    plan.dailyCaps.forEach((cap, index) => {
      state = day(state, START + index * DAY);
      expect(state).toMatchObject({ stage: index, sends: cap });
    });
    const after = START + 28 * DAY;
    expect(warmUpStage(state, plan, after)).toEqual({ stage: 28, cap: null, isHeld: false });
    expect(warmUpRoom(state, plan, { now: after, rank: BULK })).toEqual({ room: Infinity });
  });

  it.each([
    ['a good day', 50, {}, 100],
    ['a day with 4 % deferred', 50, { deferred: 2 }, 100],
    ['a day with 6 % deferred', 50, { deferred: 3 }, 50],
    ['a day with a complaint', 50, { complained: 1 }, 50],
    ['a bad day of too few messages to tell', 19, { deferred: 19 }, 100],
    ['a day without mail', 0, {}, 50],
  ])('after %s', (_what, sends, answers: { deferred?: number; complained?: number }, cap) => {
    let state = warmUpCounted(fresh, 'sent', START, sends);
    state = warmUpCounted(state, 'deferred', START, answers.deferred ?? 0);
    state = warmUpCounted(state, 'complained', START, answers.complained ?? 0);
    expect(warmUpStage(state, plan, START + DAY).cap).toBe(cap);
  });

  it('predicts the same cap for tomorrow', () => {
    const state = day(fresh, START, { deferred: 5 });
    expect(warmUpStage(state, plan, START + DAY - 1)).toEqual({ stage: 0, cap: 50, isHeld: true });
    expect(warmUpStage(state, plan, START + DAY)).toEqual({ stage: 0, cap: 50, isHeld: false });
  });

  it('does not grow on days without mail, and continues where it stopped', () => {
    const state = day(fresh, START);
    expect(warmUpStage(state, plan, START + 30 * DAY)).toMatchObject({ stage: 1, cap: 100 });
    const second = warmUpCounted(state, 'sent', START + 30 * DAY);
    expect(warmUpStage(second, plan, START + 31 * DAY).stage).toBe(2);
  });

  it('starts later for a source that was warmed up elsewhere, and now for a future start', () => {
    const elsewhere = firstWarmUp({ startedAt: START - 10 * DAY, now: START + 5 });
    expect(warmUpStage(elsewhere, plan, START + 5)).toMatchObject({ stage: 10, cap: 1_500 });
    expect(firstWarmUp({ startedAt: START + DAY, now: START }).stage).toBe(0);
  });

  it('continues after the clock was set back', () => {
    const ahead = day(fresh, START + 900 * DAY);
    expect(roomAt(ahead, START)).toBeGreaterThan(0);
    expect(warmUpStage(ahead, plan, START)).toMatchObject({ stage: 0, cap: 50 });
  });
});

describe('hourly slices', () => {
  const flat = { dailyCaps: [2_400] };

  it('divide the cap by hours, and show the start of the next slice', () => {
    const state = fill(fresh, START + 5, TRANSACTIONAL, flat);
    expect(state.sends).toBe(100);
    expect(warmUpRoom(state, flat, { now: START + 5, rank: TRANSACTIONAL })).toEqual({
      room: 0,
      until: START + HOUR,
    });
    expect(roomAt(state, START + HOUR, TRANSACTIONAL, flat)).toBe(100);
  });

  it('carry over unused messages, at most an eighth of the day in one hour', () => {
    expect(roomAt(fresh, START + HOUR, TRANSACTIONAL, flat)).toBe(200);
    expect(roomAt(fresh, START + 20 * HOUR, TRANSACTIONAL, flat)).toBe(300);
    const state = fill(fresh, START + 20 * HOUR, TRANSACTIONAL, flat);
    expect(warmUpRoom(state, flat, { now: START + 20 * HOUR, rank: TRANSACTIONAL })).toEqual({
      room: 0,
      until: START + 21 * HOUR,
    });
    expect(roomAt(state, START + 21 * HOUR, TRANSACTIONAL, flat)).toBe(300);
  });

  it('allow nearly the full cap in working hours only', () => {
    let state = fresh;
    for (let hour = 9; hour < 17; hour++) state = fill(state, START + hour * HOUR, TRANSACTIONAL, flat);
    expect(state.sends).toBeGreaterThanOrEqual(1_700);
  });

  it('reserve the last fifth of a slice for transactional mail until the hour is over', () => {
    let state = fill(fresh, START, BULK, flat);
    expect(state.sends).toBe(80);
    expect(roomAt(state, START + HOUR, BULK, flat)).toBe(100);
    state = fill(state, START, TRANSACTIONAL, flat);
    expect(state.sends).toBe(100);
  });

  it('wait for the next day when the cap is used up', () => {
    const state = warmUpCounted(fresh, 'sent', START + 3 * HOUR, 50);
    expect(warmUpRoom(state, plan, { now: START + 4 * HOUR, rank: TRANSACTIONAL })).toEqual({
      room: 0,
      until: START + DAY,
    });
  });

  it('return the capacity of unsent messages', () => {
    const state = fill(fresh, START, TRANSACTIONAL, flat);
    expect(roomAt(warmUpCounted(state, 'unsent', START, 40), START, TRANSACTIONAL, flat)).toBe(40);
    expect(warmUpCounted(fresh, 'unsent', START, 3).sends).toBe(0);
  });

  it('never exceed the daily cap or the slice, and have the promised room', () => {
    const step = fc.record({
      gapMs: fc.oneof(fc.integer({ min: 0, max: 600_000 }), fc.integer({ min: 0, max: 9 * HOUR })),
      wanted: fc.integer({ min: 1, max: 400 }),
      rank: fc.integer({ min: 0, max: 5 }),
    });
    const caps = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(caps, fc.array(step, { maxLength: 150 }), (dailyCaps, steps) => {
        let [now, state] = [START, fresh];
        const [perDay, perHour] = [new Map<number, number>(), new Map<number, number>()];
        for (const { gapMs, wanted, rank } of steps) {
          now += gapMs;
          const answer = warmUpRoom(state, { dailyCaps }, { now, rank });
          const { cap } = warmUpStage(state, { dailyCaps }, now);
          if (cap === null) return;
          if (answer.room === 0) {
            const until = 'until' in answer ? answer.until : 0;
            const dayEnd = (Math.floor(now / DAY) + 1) * DAY;
            expect(until).toBeGreaterThan(now);
            expect(until).toBeLessThanOrEqual(dayEnd);
            expect(roomAt(state, until - 1, rank, { dailyCaps })).toBe(0);
            if (until < dayEnd) expect(roomAt(state, until, rank, { dailyCaps })).toBeGreaterThan(0);
            continue;
          }
          const n = Math.min(wanted, answer.room);
          state = JSON.parse(JSON.stringify(warmUpCounted(state, 'sent', now, n))) as WarmUpState;
          const [today, hour] = [Math.floor(now / DAY), Math.floor(now / HOUR)];
          perDay.set(today, (perDay.get(today) ?? 0) + n);
          perHour.set(hour, (perHour.get(hour) ?? 0) + n);
          expect(perDay.get(today)).toBeLessThanOrEqual(cap);
          expect(perHour.get(hour)).toBeLessThanOrEqual(Math.max(2, Math.ceil(cap / 8)));
        }
      }),
    );
  });

  it.each([1, 2, 3, 5, 16, 50])('give bulk mail its part of a cap of %i', (cap) => {
    let state = fresh;
    for (let hour = 0; hour < 24; hour++)
      state = fill(state, START + hour * HOUR, BULK, { dailyCaps: [cap] });
    expect(state.sends).toBe(Math.max(1, cap - 1));
  });
});
