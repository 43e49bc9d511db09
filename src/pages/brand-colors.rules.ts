// Computes the colors of a page from one color of a customer, so that text on it and beside it is legible: the contrast of WCAG
// 2.2, success criteria 1.4.3 and 1.4.11.

/** Contrast of text. 4.5 to 1 is also enough for borders and outlines. */
const LEAST_CONTRAST = 4.5;
const STEPS = 50;

interface BrandColors {
  /** Colour of buttons. */
  fill: string;
  /** Black or white, whichever reads better on it. */
  onFill: string;
  /** Links, borders and outlines on the ground: the colour, as far from it as it must be. */
  accent: string;
}

type Rgb = readonly [number, number, number];

/** Both as `#rrggbb`, in small letters. */
export function brandColors(color: string, ground: string): BrandColors {
  const fill = rgbOf(color);
  const base = rgbOf(ground);
  const onFill = contrast(fill, [0, 0, 0]) >= contrast(fill, [255, 255, 255]) ? '#000000' : '#ffffff';
  return { fill: color, onFill, accent: hexOf(apartFrom(fill, base)) };
}

/** Computes the contrast ratio of two colors (`#rrggbb`), from 1 to 21 (WCAG 2). */
export function contrastRatio(one: string, other: string): number {
  return contrast(rgbOf(one), rgbOf(other));
}

/** The colour, mixed with as little black, on a light ground, or white as makes it readable. */
function apartFrom(color: Rgb, ground: Rgb): Rgb {
  const end = luminance(ground) > 0.5 ? 0 : 255;
  for (let step = 0; step <= STEPS; step++) {
    const mixed = mix(color, end, step / STEPS);
    if (contrast(mixed, ground) >= LEAST_CONTRAST) return mixed;
  }
  return [end, end, end];
}

function mix([red, green, blue]: Rgb, end: number, share: number): Rgb {
  const towards = (channel: number): number => Math.round(channel + (end - channel) * share);
  return [towards(red), towards(green), towards(blue)];
}

function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
