// Reads colors of CSS and of old HTML attributes, as far as text can be compared with its background.

/** Red, green and blue from 0 to 255. */
export type Color = readonly [number, number, number];

export const WHITE: Color = [255, 255, 255];
export const BLACK: Color = [0, 0, 0];

/** Largest difference of a channel between colors that people cannot tell apart in text. */
const INDISTINCT = 16;
const LEAST_ALPHA = 0.1;

/** Names that mail uses for text and backgrounds. */
const NAMES: Readonly<Record<string, Color>> = {
  white: WHITE,
  black: BLACK,
  red: [255, 0, 0],
  green: [0, 128, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  lime: [0, 255, 0],
  aqua: [0, 255, 255],
  cyan: [0, 255, 255],
  fuchsia: [255, 0, 255],
  magenta: [255, 0, 255],
  silver: [192, 192, 192],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  lightgray: [211, 211, 211],
  lightgrey: [211, 211, 211],
  maroon: [128, 0, 0],
  olive: [128, 128, 0],
  purple: [128, 0, 128],
  teal: [0, 128, 128],
  navy: [0, 0, 128],
  whitesmoke: [245, 245, 245],
  snow: [255, 250, 250],
  ivory: [255, 255, 240],
  ghostwhite: [248, 248, 255],
  floralwhite: [255, 250, 240],
};

/** Returns `null` for a value that is not understood. */
export function readColor(value: string): Color | 'transparent' | null {
  const text = value.trim().toLowerCase();
  if (text === 'transparent') return text;
  const hex = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(text)?.[1];
  if (hex !== undefined) return colorOfHex(hex.length < 6 ? hex.replace(/./g, '$&$&') : hex);
  const parts =
    /^rgba?\(([^()]{5,60})\)$/
      .exec(text)?.[1]
      ?.split(/[\s,/]+/)
      .filter(Boolean) ?? [];
  if (parts.length < 3) return NAMES[text] ?? null;
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts.map((part, at) =>
    part.endsWith('%') ? (parseFloat(part) / 100) * (at < 3 ? 255 : 1) : parseFloat(part),
  );
  if ([red, green, blue, alpha].some(Number.isNaN)) return null;
  return alpha < LEAST_ALPHA ? 'transparent' : [red, green, blue];
}

/** Reads the color of a background, which is `null` if it has an image or is not understood. */
export function readBackground(value: string): Color | 'transparent' | null {
  if (/url\(|gradient\(|image\(/i.test(value)) return null;
  const found = value.match(/rgba?\([^()]{5,60}\)|[#\w]+/gi) ?? [];
  for (const one of found) {
    const color = readColor(one);
    if (color !== null) return color;
  }
  return /^(?:none|initial|unset)$/i.test(value.trim()) ? 'transparent' : null;
}

/** Returns whether text of one color cannot be read on the other. */
export function areIndistinct(text: Color, background: Color): boolean {
  return text.every((channel, at) => Math.abs(channel - (background[at] ?? 0)) <= INDISTINCT);
}

function colorOfHex(hex: string): Color | 'transparent' {
  const [red = 0, green = 0, blue = 0, alpha = 255] = (hex.match(/../g) ?? []).map((pair) =>
    parseInt(pair, 16),
  );
  return alpha / 255 < LEAST_ALPHA ? 'transparent' : [red, green, blue];
}
