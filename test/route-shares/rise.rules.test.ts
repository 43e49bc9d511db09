// Tests when a share rises, waits or is lowered.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRise, type JudgedShare } from '../../src/route-shares/rise.rules.js';

const DAY = 86_400_000;
const PLAN = { step: 10, everyMs: 3 * DAY, until: 90 };
const NOW = Date.UTC(2026, 2, 10);
const share = (change: Partial<JudgedShare> = {}): JudgedShare => ({
  percent: 20,
  state: 'active',
  changed_at: NOW - 3 * DAY,
  ...change,
});
const GOOD = { sent: 1_000, bounced: 5, complained: 0 };

describe('a share', () => {
  it.each([
    ['rises by a step when its time has come', {}, GOOD, { kind: 'raise', percent: 30 }],
    ['rises no further than its end', { percent: 85 }, GOOD, { kind: 'raise', percent: 90 }],
    ['stays at its end', { percent: 90 }, GOOD, { kind: 'keep', waitsFor: null }],
    ['waits for its time', { changed_at: NOW - DAY }, GOOD, { kind: 'keep', waitsFor: 'time' }],
    ['waits for enough mail', {}, { ...GOOD, sent: 99 }, { kind: 'keep', waitsFor: 'sample' }],
    ['waits while 2 % bounce', {}, { ...GOOD, bounced: 20 }, { kind: 'keep', waitsFor: 'bounces' }],
    ['waits while 0.2 % complain', {}, { ...GOOD, complained: 2 }, { kind: 'keep', waitsFor: 'complaints' }],
    ['is not stopped by one complaint', {}, { ...GOOD, complained: 1 }, { kind: 'raise', percent: 30 }],
    [
      'is halved when 5 % bounce, before its time',
      { changed_at: NOW - 1 },
      { ...GOOD, bounced: 50 },
      { kind: 'lower', percent: 10, rate: 'bounce', value: 0.05 },
    ],
    [
      'is halved when 0.3 % complain',
      {},
      { sent: 1_000, bounced: 0, complained: 3 },
      { kind: 'lower', percent: 10, rate: 'complaint', value: 0.003 },
    ],
    ['stays while paused', { state: 'paused' }, GOOD, { kind: 'keep', waitsFor: null }],
    [
      'stays after it was lowered',
      { state: 'lowered' },
      { ...GOOD, bounced: 900 },
      { kind: 'keep', waitsFor: null },
    ],
    [
      'begins without mail to judge',
      { percent: 0 },
      { sent: 0, bounced: 0, complained: 0 },
      { kind: 'raise', percent: 10 },
    ],
  ] as const)('%s', (_what, change, counts, decision) => {
    expect(decideRise(share(change), PLAN, counts, NOW)).toEqual(decision);
  });

  it('moves only upwards while its mail is good', () => {
    const good = fc.record({
      sent: fc.integer({ min: 100, max: 1e6 }),
      hours: fc.integer({ min: 0, max: 200 }),
    });
    fc.assert(
      fc.property(fc.array(good, { maxLength: 40 }), (looks) => {
        let now = NOW;
        let current = share({ percent: 1 });
        for (const { sent, hours } of looks) {
          now += hours * 3_600_000;
          const decision = decideRise(current, PLAN, { sent, bounced: 0, complained: 0 }, now);
          expect(decision.kind).not.toBe('lower');
          if (decision.kind !== 'raise') continue;
          expect(decision.percent).toBeGreaterThan(current.percent);
          expect(decision.percent).toBeLessThanOrEqual(PLAN.until);
          current = { ...current, percent: decision.percent, changed_at: now };
        }
      }),
    );
  });
});
