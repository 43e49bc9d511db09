import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BREAKER_DEFAULTS as settings,
  breakerFailed,
  breakerPosition,
  breakerProbeReleased,
  breakerProbing,
  breakerSucceeded,
  PROBE_MS,
  type BreakerState,
} from '../../src/outbound/shape/circuit-breaker.rules.js';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 1);

function failedTimes(times: number, state = breakerSucceeded(), now = NOW): BreakerState {
  let after = state;
  for (let i = 0; i < times; i++) after = breakerFailed(after, now, settings);
  return after;
}

describe('the circuit breaker', () => {
  it('opens after three failed rounds in a row, and a success in between resets the count', () => {
    expect(breakerPosition(failedTimes(2), NOW)).toEqual({ kind: 'closed' });
    expect(breakerPosition(failedTimes(3), NOW)).toEqual({ kind: 'open', until: NOW + 2 * MINUTE });
    expect(breakerPosition(failedTimes(2, breakerSucceeded()), NOW)).toEqual({ kind: 'closed' });
  });

  it('stays open for 2, 5, 15, 30 and again 30 minutes while each probe fails', () => {
    let [now, state] = [NOW, failedTimes(3)];
    for (const minutes of [2, 5, 15, 30, 30, 30]) {
      expect(breakerPosition(state, now)).toEqual({ kind: 'open', until: now + minutes * MINUTE });
      expect(breakerPosition(state, now + minutes * MINUTE - 1).kind).toBe('open');
      now += minutes * MINUTE;
      expect(breakerPosition(state, now)).toEqual({ kind: 'probe' });
      state = breakerFailed(breakerProbing(state, now), now, settings);
    }
  });

  it('allows exactly one probe', () => {
    const later = NOW + 2 * MINUTE;
    const probing = breakerProbing(failedTimes(3), later);
    expect(breakerPosition(probing, later)).toEqual({ kind: 'open', until: later + PROBE_MS });
    expect(breakerPosition(breakerSucceeded(), later)).toEqual({ kind: 'closed' });
  });

  it('allows another probe if the first is lost or did not connect', () => {
    const later = NOW + 2 * MINUTE;
    const probing = breakerProbing(failedTimes(3), later);
    expect(breakerPosition(probing, later + PROBE_MS)).toEqual({ kind: 'probe' });
    expect(breakerPosition(breakerProbeReleased(probing, later + 5), later + 5)).toEqual({ kind: 'probe' });
    expect(breakerProbeReleased(breakerSucceeded(), later)).toEqual(breakerSucceeded());
  });

  it('does not lengthen the pause for rounds from before it opened', () => {
    const open = failedTimes(3);
    expect(breakerFailed(open, NOW + MINUTE, settings)).toEqual(open);
  });

  it('stays closed if no pause is left to open for', () => {
    expect(breakerPosition(failedTimes(1, breakerSucceeded()), NOW)).toEqual({ kind: 'closed' });
    const state = breakerFailed(breakerSucceeded(), NOW, { rounds: 1, pausesMs: [] });
    expect(breakerPosition(state, NOW)).toEqual({ kind: 'probe' });
  });

  it('allows at most one message per pause in any sequence of events, and forgets nothing in a restart', () => {
    const step = fc.record({
      gapMs: fc.integer({ min: 0, max: 3 * MINUTE }),
      fails: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let [now, state] = [NOW, failedTimes(3)];
        let lastProbe = -Infinity;
        for (const { gapMs, fails } of steps) {
          now += gapMs;
          const gate = breakerPosition(state, now);
          expect(gate.kind).not.toBe('closed');
          if (gate.kind === 'open') {
            expect(gate.until).toBeGreaterThan(now);
            continue;
          }
          expect(now - lastProbe).toBeGreaterThanOrEqual(2 * MINUTE);
          lastProbe = now;
          state = breakerProbing(state, now);
          if (fails) state = breakerFailed(state, now, settings);
          state = JSON.parse(JSON.stringify(state)) as BreakerState;
        }
      }),
    );
  });
});
