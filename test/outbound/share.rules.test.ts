// Tests the division of a route's mail: even, as large as requested, and never taking back recipients while the share rises.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dependsOnEngagement,
  positionOf,
  POSITIONS,
  shareBounds,
  sideOf,
  viasOnSide,
  type ShareBounds,
} from '../../src/outbound/route/share.rules.js';

const recipient = (n: number) => ({
  environmentId: 1,
  tenantKey: '',
  addressKey: `user${n}@receiver.example`,
});
const percent = fc.integer({ min: 0, max: 100 });
const engagedShare = fc.double({ min: 0, max: 1, noNaN: true });

/** The share of mail that the bounds send directly. */
function directShare({ engagedBelow, othersBelow }: ShareBounds, engaged: number): number {
  return (engaged * engagedBelow + (1 - engaged) * othersBelow) / POSITIONS;
}

describe('positions', () => {
  it('are even over recipients, and those of two senders do not agree', () => {
    const deciles = Array.from({ length: 10 }, () => 0);
    let both = 0;
    for (let n = 0; n < 20_000; n += 1) {
      const position = positionOf(recipient(n));
      const decile = Math.floor((position * 10) / POSITIONS);
      deciles[decile] = (deciles[decile] ?? 0) + 1;
      const other = positionOf({ ...recipient(n), tenantKey: 'tnt_1' });
      if (position < POSITIONS / 2 && other < POSITIONS / 2) both += 1;
    }
    for (const count of deciles) expect(Math.abs(count - 2_000)).toBeLessThan(200);
    expect(Math.abs(both - 5_000)).toBeLessThan(300);
  });

  it('are the same each time', () => {
    expect(positionOf(recipient(7))).toBe(positionOf(recipient(7)));
  });
});

describe('bounds', () => {
  it('let out the percentage that was asked for', () => {
    fc.assert(
      fc.property(percent, engagedShare, (asked, engaged) => {
        const bounds = shareBounds(asked, engaged, null);
        expect(directShare(bounds, engaged)).toBeCloseTo(asked / 100, 4);
        expect(bounds.engagedBelow).toBeGreaterThanOrEqual(bounds.othersBelow);
      }),
    );
  });

  it('prefer engaged recipients', () => {
    expect(shareBounds(10, 0.4, null)).toEqual({ engagedBelow: 250_000, othersBelow: 0 });
    expect(shareBounds(70, 0.4, null)).toEqual({ engagedBelow: POSITIONS, othersBelow: 500_000 });
  });

  it('treat all recipients alike if the engagement is not known', () => {
    expect(shareBounds(10, 0, null)).toEqual({ engagedBelow: 100_000, othersBelow: 100_000 });
  });

  it('never fall while the share rises, whatever the engagement becomes', () => {
    const steps = fc.array(fc.tuple(percent, engagedShare), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(steps, (drawn) => {
        let bounds: ShareBounds | null = null;
        for (const [asked, engaged] of drawn.toSorted(([a], [b]) => a - b)) {
          const next = shareBounds(asked, engaged, bounds);
          if (bounds !== null) {
            expect(next.engagedBelow).toBeGreaterThanOrEqual(bounds.engagedBelow);
            expect(next.othersBelow).toBeGreaterThanOrEqual(bounds.othersBelow);
          }
          expect(next.engagedBelow).toBeLessThanOrEqual(POSITIONS);
          bounds = next;
        }
      }),
    );
  });

  it('are exact at 0 and 100 percent', () => {
    fc.assert(
      fc.property(engagedShare, (engaged) => {
        expect(shareBounds(0, engaged, null)).toEqual({ engagedBelow: 0, othersBelow: 0 });
        expect(shareBounds(100, engaged, null)).toEqual({ engagedBelow: POSITIONS, othersBelow: POSITIONS });
      }),
    );
  });
});

describe('sides', () => {
  it('of 1,000 recipients at 20 percent: about 200 are direct', () => {
    const bounds = shareBounds(20, 0, null);
    const direct = Array.from({ length: 1_000 }, (_, n) => sideOf(positionOf(recipient(n)), false, bounds));
    const count = direct.filter((side) => side === 'direct').length;
    expect(Math.abs(count - 200)).toBeLessThanOrEqual(30);
  });

  it('depend on engagement only between the bounds', () => {
    const bounds = { engagedBelow: 500, othersBelow: 100 };
    expect([99, 100, 499, 500].map((position) => dependsOnEngagement(position, bounds))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(sideOf(300, true, bounds)).toBe('direct');
    expect(sideOf(300, false, bounds)).toBe('smarthost');
  });

  it('have the ways of their kind, in order', () => {
    const vias = [
      { kind: 'pool', pool: 'a' },
      { kind: 'smarthost', name: 'ses' },
      { kind: 'pool', pool: 'b' },
    ] as const;
    expect(viasOnSide(vias, 'direct')).toEqual([vias[0], vias[2]]);
    expect(viasOnSide(vias, 'smarthost')).toEqual([vias[1]]);
  });
});
