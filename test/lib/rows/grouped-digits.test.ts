import { expect, it } from 'vitest';
import { groupedDigits } from '../../../src/lib/rows/grouped-digits.js';

it.each([0, 7, 999, 1_000, 12_345, 123_456, 1_234_567, 9_007_199_254_740_991])(
  'groups the digits of %d',
  (whole) => {
    expect(groupedDigits(whole)).toBe(whole.toLocaleString('en'));
  },
);
