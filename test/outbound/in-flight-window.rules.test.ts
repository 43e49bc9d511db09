import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  firstInFlight,
  IN_FLIGHT_DEFAULTS,
  inFlightReturned,
  inFlightRoom,
  inFlightSettled,
  type InFlightWindow,
} from '../../src/outbound/shape/in-flight-window.rules.js';

const settings = { ...IN_FLIGHT_DEFAULTS, max: 250 };
const settle = (limit: number, tookMs: number): number => inFlightSettled({ limit }, tookMs, settings).limit;

describe('the window of claimed messages', () => {
  it('starts at 20, or at the maximum if that is lower', () => {
    expect(firstInFlight(settings)).toEqual({ limit: 20 });
    expect(firstInFlight({ ...settings, max: 8 })).toEqual({ limit: 8 });
  });

  it.each([
    ['grows with a quick delivery', 20, 10_000, 21],
    ['up to the most', 250, 5, 250],
    ['stays with one in between', 20, 30_000, 20],
    ['shrinks with a slow one', 20, 30_001, 19],
    ['down to the least', 5, 60_000, 5],
  ])('%s', (_what, limit, tookMs, expected) => {
    expect(settle(limit, tookMs)).toBe(expected);
  });

  it.each([
    [250, 125],
    [20, 10],
    [9, 5],
    [5, 5],
  ])('is halved from %i to %i if messages are returned unattempted', (limit, expected) => {
    expect(inFlightReturned({ limit }, settings)).toEqual({ limit: expected });
  });

  it.each([
    ['transactional', 20, 0, 2, 20],
    ['transactional beside others', 20, 16, 0, 4],
    ['bulk', 20, 0, 3, 16],
    ['bulk beside others', 20, 15, 5, 1],
    ['bulk in its full part', 20, 16, 3, 0],
    ['bulk in a window that has shrunk below what is in flight', 5, 20, 3, 0],
    ['bulk in the least window', 5, 0, 3, 4],
  ])('has room for %s', (_what, limit, inFlight, rank, expected) => {
    expect(inFlightRoom({ limit }, { inFlight, rank }, settings)).toBe(expected);
  });

  it('stays within its bounds in any sequence of events', () => {
    const event = fc.constantFrom('quick', 'slow', 'returned');
    fc.assert(
      fc.property(fc.array(event, { maxLength: 600 }), (events) => {
        let window = firstInFlight(settings);
        for (const what of events) {
          window =
            what === 'returned'
              ? inFlightReturned(window, settings)
              : inFlightSettled(window, what === 'quick' ? 1 : 60_000, settings);
          expect(window.limit).toBeGreaterThanOrEqual(5);
          expect(window.limit).toBeLessThanOrEqual(250);
        }
      }),
    );
  });
});

/** Windows, second by second, of a destination with unlimited mail that accepts `perSecond` messages. */
function windowsOver(perSecond: number, seconds: number): number[] {
  let window: InFlightWindow = firstInFlight(settings);
  const windows: number[] = [];
  const claimedAt: number[] = [];
  let credit = 0;
  for (let second = 0; second < seconds; second++) {
    while (inFlightRoom(window, { inFlight: claimedAt.length, rank: 0 }, settings) > 0)
      claimedAt.push(second);
    for (credit += perSecond; credit >= 1; credit--) {
      const at = claimedAt.shift();
      if (at !== undefined) window = inFlightSettled(window, (second + 1 - at) * 1_000, settings);
    }
    windows.push(window.limit);
  }
  return windows;
}

it.each([
  ['a slow site soon holds the least', 1 / 6, 5, 5],
  ['a site of 10 a second holds what it takes in some 10 to 20 seconds', 10, 100, 220],
  ['a fast site holds the most', 200, 250, 250],
])('%s', (_what, perSecond, least, most) => {
  const windows = windowsOver(perSecond, 1_800).slice(600);
  expect(Math.min(...windows)).toBeGreaterThanOrEqual(least);
  expect(Math.max(...windows)).toBeLessThanOrEqual(most);
});
