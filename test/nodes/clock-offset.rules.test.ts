import { expect, it } from 'vitest';
import { clockOffsetText, nextCorrection } from '../../src/nodes/clock-offset.rules.js';

it.each([
  // applied, measured, next
  [0, 0, 0],
  [0, 200, 0],
  [0, -200, 0],
  [0, 90_000.4, 90_000],
  [90_000, 90_180, 90_000],
  [90_000, 89_000, 89_000],
  [90_000, 30, 0],
  [300, 120, 300],
  [0, -5_000, -5_000],
])('a correction of %d ms after a measurement of %d ms becomes %d ms', (applied, measured, next) => {
  expect(nextCorrection(applied, measured)).toBe(next);
});

it('an offset is reported with its sign', () => {
  expect(clockOffsetText(90_040)).toBe('90.0 s ahead of the database');
  expect(clockOffsetText(-1_500)).toBe('1.5 s behind the database');
});
