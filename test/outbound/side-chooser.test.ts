// Tests the side of a message: its recipient's position, their engagement if it decides, and earlier choices.
import { expect, it } from 'vitest';
import { positionOf, POSITIONS } from '../../src/outbound/route/share.rules.js';
import { SideChooser } from '../../src/outbound/route/side-chooser.js';
import { newClaim } from '../support/new-claim.js';

const POSITION = positionOf({ environmentId: 1, tenantKey: '', addressKey: 'ann@there.test' });
const share = (engagedBelow: number, othersBelow: number) => ({
  ...{ route: 'leaving', percent: 20 },
  bounds: { engagedBelow, othersBelow },
});

function chooser(isEngaged: boolean) {
  let asked = 0;
  const chosen = new SideChooser({
    isEngaged: () => {
      asked += 1;
      return Promise.resolve(isEngaged);
    },
  });
  return { chosen, asked: () => asked };
}

it('is decided by the position alone outside the bounds, without looking up engagement', () => {
  const { chosen, asked } = chooser(true);
  expect(chosen.choose(newClaim(1), share(POSITIONS, POSITIONS))).toEqual({
    ...{ route: 'leaving', percent: 20, side: 'direct', reason: 'position' },
  });
  expect(chosen.choose(newClaim(1), share(0, 0))).toMatchObject({ side: 'smarthost', reason: 'position' });
  expect(asked()).toBe(0);
});

it.each([
  [true, 'direct'],
  [false, 'smarthost'],
])('is decided by engagement (%s) between the bounds', async (isEngaged, side) => {
  const { chosen } = chooser(isEngaged);
  expect(await chosen.choose(newClaim(1), share(POSITIONS, POSITION))).toMatchObject({
    ...{ side, reason: 'engagement' },
  });
});

it.each([
  ['its first attempt', { provider: 'smarthost' as const }],
  ['its queue', { side: 'smarthost' as const }],
])('stays as %s has it when the share has risen', (_what, kept) => {
  const { chosen, asked } = chooser(true);
  const claim = { ...newClaim(1), ...kept };
  expect(chosen.choose(claim, share(POSITIONS, POSITIONS))).toMatchObject({
    ...{ side: 'smarthost', reason: 'kept' },
  });
  expect(chosen.choose(claim, share(0, 0))).toMatchObject({ side: 'smarthost', reason: 'position' });
  expect(asked()).toBe(0);
});
