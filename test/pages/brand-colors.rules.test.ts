// Tests the colours of a page that derive from one colour: text on them is readable.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { brandColors, contrastRatio } from '../../src/pages/brand-colors.rules.js';

const LIGHT = '#ffffff';
const DARK = '#0f1216';

it.each([
  // A readable colour does not change; an unreadable one is mixed with as little black or white as needed.
  ['#3538cd', LIGHT, '#ffffff', '#3538cd'],
  ['#3538cd', DARK, '#ffffff', '#7274dc'],
  ['#000000', LIGHT, '#ffffff', '#000000'],
  ['#ffffff', DARK, '#000000', '#ffffff'],
  ['#ffff00', DARK, '#000000', '#ffff00'],
])('%s on %s: %s on it, %s beside it', (color, ground, onFill, accent) => {
  expect(brandColors(color, ground)).toEqual({ fill: color, onFill, accent });
});

it('are readable with any color', () => {
  const channel = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'));
  const colors = fc.tuple(channel, channel, channel).map((parts) => `#${parts.join('')}`);
  fc.assert(
    fc.property(colors, fc.constantFrom(LIGHT, DARK), (color, ground) => {
      const { fill, onFill, accent } = brandColors(color, ground);
      expect(contrastRatio(fill, onFill)).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(accent, ground)).toBeGreaterThanOrEqual(4.5);
      expect(accent).toMatch(/^#[0-9a-f]{6}$/);
    }),
  );
});
