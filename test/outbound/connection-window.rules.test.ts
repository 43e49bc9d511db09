import { describe, expect, it } from 'vitest';
import {
  firstWindow,
  PROBE_PAUSES_MS,
  windowAccepted,
  windowOpened,
  windowRefused,
  type WindowState,
} from '../../src/outbound/shape/connection-window.rules.js';
import { sized } from '../support/run-size.js';

const MINUTE = 60_000;
const NOW = 1_000_000;
const ceiling = (limit: number, refusals = 1): WindowState['ceiling'] => ({
  limit,
  refusals,
  probeAt: NOW + (PROBE_PAUSES_MS[refusals - 1] ?? 0),
});

describe('a new connection after a refused one', () => {
  const state: WindowState = { limit: 1, goodSince: 0, ceiling: ceiling(1) };
  it.each([
    ['lifts the ceiling to what is open', { open: 3, now: NOW + 1 }, 3],
    ['says nothing new within it', { open: 1, now: NOW + 1 }, 1],
    ['is what is asked for once the ceiling is probed', { open: 2, now: NOW + MINUTE }, 1],
  ])('%s', (_, opened, limit) => {
    expect(windowOpened(state, opened)).toEqual({ ...state, ceiling: { ...ceiling(1), limit } });
  });

  it('does not count without a refusal', () => {
    expect(windowOpened(firstWindow(2), { open: 5, now: NOW })).toEqual(firstWindow(2));
  });
});

describe('a refusal', () => {
  it.each([
    ['halves what was open', 10, 8, 1, 4],
    ['rounds down', 10, 5, 1, 2],
    ['leaves one', 2, 1, 1, 1],
    ['leaves one when none was open', 2, 0, 1, 1],
    ['leaves what is asked for', 10, 8, 6, 6],
  ])('%s', (_what, limit, open, floor, expected) => {
    const after = windowRefused(firstWindow(limit), { open, now: NOW, floor });
    expect(after).toEqual({ limit: expected, goodSince: 0, ceiling: ceiling(Math.max(open, floor, 1)) });
  });

  it('of a connection opened before the limit fell does not halve it again', () => {
    const first = windowRefused(firstWindow(10), { open: 3, now: NOW });
    expect(first.limit).toBe(1);
    expect(windowRefused(first, { open: 3, now: NOW + 50 })).toEqual(first);
    expect(windowRefused(first, { open: 4, now: NOW + 50 })).toEqual({ ...first, ceiling: ceiling(4) });
  });

  it('of a probe restores the ceiling, and the pause grows', () => {
    let state: WindowState = { limit: 6, goodSince: 3, ceiling: ceiling(5) };
    for (const refusals of [2, 3, 4, 5]) {
      state = windowRefused({ ...state, limit: 6 }, { open: 5, now: NOW });
      expect(state).toEqual({ limit: 5, goodSince: 0, ceiling: ceiling(5, refusals) });
    }
    state = windowRefused({ ...state, limit: 6 }, { open: 5, now: NOW });
    expect(state.ceiling?.probeAt).toBe(NOW + 30 * MINUTE);
  });

  it('below the ceiling sets a new one', () => {
    const state = { limit: 6, goodSince: 0, ceiling: ceiling(5, 4) };
    expect(windowRefused(state, { open: 3, now: NOW })).toEqual({
      limit: 1,
      goodSince: 0,
      ceiling: ceiling(3),
    });
  });
});

describe('accepted messages', () => {
  const grow = { max: 10, every: 3, now: NOW };

  function accept(state: WindowState, times: number, open = state.limit, now = NOW): WindowState {
    let after = state;
    for (let i = 0; i < times; i++) after = windowAccepted(after, { ...grow, open, now });
    return after;
  }

  it('allow one more connection after enough of them', () => {
    expect(accept(firstWindow(2), 2)).toEqual({ limit: 2, goodSince: 2, ceiling: null });
    expect(accept(firstWindow(2), 3)).toEqual({ limit: 3, goodSince: 0, ceiling: null });
  });

  it('prove nothing unless the limit is used up', () => {
    expect(accept(firstWindow(4), 100, 3)).toEqual(firstWindow(4));
  });

  it('never exceed the maximum, which may have changed', () => {
    expect(accept(firstWindow(10), 100).limit).toBe(10);
    expect(accept(firstWindow(20), 1).limit).toBe(10);
  });

  it('do not exceed the ceiling before its time', () => {
    const state = { limit: 5, goodSince: 0, ceiling: ceiling(5) };
    expect(accept(state, 100).limit).toBe(5);
    expect(accept(accept(state, 100), 1, 5, NOW + MINUTE).limit).toBe(6);
  });

  it('above the ceiling remove it', () => {
    const state = { limit: 6, goodSince: 0, ceiling: ceiling(5, 3) };
    expect(accept(state, 2).ceiling).toEqual(ceiling(5, 3));
    expect(accept(state, 3)).toEqual({ limit: 7, goodSince: 0, ceiling: null });
  });
});

interface Run {
  /** Times of the refusals. */
  refusals: number[];
  /** Last time when the limit was neither the peer's nor one more. */
  settledAt: number;
  accepted: number;
}

/** A path with unlimited mail to a peer that allows `allowed(now)` simultaneous connections. */
function simulate(options: {
  allowed: (now: number) => number;
  start: number;
  messageMs: number;
  untilMs: number;
}): Run {
  const { allowed, start, messageMs, untilMs } = options;
  const CONNECT_MS = 200;
  const MESSAGES_PER_CONNECTION = 50;
  const TICK_MS = 100;
  let state = firstWindow(start);
  let open: { messages: number; doneAt: number }[] = [];
  let opening: number[] = [];
  const run: Run = { refusals: [], settledAt: 0, accepted: 0 };
  for (let now = 0; now < untilMs; now += TICK_MS) {
    for (const connection of [...open]) {
      if (connection.doneAt > now) continue;
      run.accepted += 1;
      connection.messages += 1;
      connection.doneAt = now + messageMs;
      state = windowAccepted(state, { open: open.length, max: 32, every: 10, now });
      const isOver = open.length > state.limit || connection.messages === MESSAGES_PER_CONNECTION;
      if (isOver) open = open.filter((other) => other !== connection);
    }
    const arrived = opening.filter((at) => at <= now);
    opening = opening.filter((at) => at > now);
    for (let i = 0; i < arrived.length; i++) {
      if (open.length < allowed(now)) open.push({ messages: 0, doneAt: now + messageMs });
      else {
        run.refusals.push(now);
        state = windowRefused(state, { open: open.length, now });
      }
    }
    while (open.length + opening.length < state.limit) opening.push(now + CONNECT_MS);
    const isSettled = state.limit === allowed(now) || state.limit === allowed(now) + 1;
    if (!isSettled) run.settledAt = now;
  }
  return run;
}

describe.each([
  ['2 connections and messages of a second', 2, 1_000],
  ['2 connections and messages of three seconds', 2, 3_000],
  ['10 connections at once', 10, 1_000],
])('against a peer that refuses above N, starting with %s', (_what, start, messageMs) => {
  const counts = sized({
    small: [1, 2, 3, 8, 20],
    full: Array.from({ length: 20 }, (_, index) => index + 1),
  });

  it.each(counts)('settles within 5 minutes and is refused less and less often: N = %i', (most) => {
    const run = simulate({ allowed: () => most, start, messageMs, untilMs: 240 * MINUTE });
    const refusedIn = (from: number, to: number): number =>
      run.refusals.filter((at) => at >= from * MINUTE && at < to * MINUTE).length;
    expect(run.settledAt).toBeLessThan(5 * MINUTE);
    expect(refusedIn(5, 60)).toBeLessThanOrEqual(3);
    expect(refusedIn(60, 120)).toBeLessThanOrEqual(2);
    expect(refusedIn(120, 240)).toBeLessThanOrEqual(4);
    // The refusals reduce the accepted mail only minimally.
    expect(run.accepted).toBeGreaterThan(0.99 * most * (1_000 / messageMs) * 240 * 60);
  });
});

it('finds the new limit of a peer that changes it', () => {
  const rises = simulate({
    allowed: (now) => (now < 60 * MINUTE ? 4 : 12),
    start: 2,
    messageMs: 1_000,
    untilMs: 180 * MINUTE,
  });
  expect(rises.settledAt).toBeLessThan(95 * MINUTE);
  const falls = simulate({
    allowed: (now) => (now < 60 * MINUTE ? 12 : 4),
    start: 2,
    messageMs: 1_000,
    untilMs: 180 * MINUTE,
  });
  expect(falls.settledAt).toBeLessThan(65 * MINUTE);
  expect(falls.refusals.length).toBeLessThan(25);
});
