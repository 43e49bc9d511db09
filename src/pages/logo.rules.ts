// A logo as a customer gives it: which image format it is, by its octets, and whether public pages may show it.

export const LOGO_LIMIT_BYTES = 64 * 1024;
/** Pixels of a side: few octets of PNG may hold very many. */
const MAX_SIDE = 4_096;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

interface Logo {
  type: 'image/png' | 'image/svg+xml';
  content: Buffer;
}

/** Returns the logo, or the problem of the base64 text as a sentence. */
export function readLogo(base64: string): Logo | string {
  if (base64 === '' || !BASE64.test(base64)) return 'must be base64 without line breaks';
  const content = Buffer.from(base64, 'base64');
  if (content.length > LOGO_LIMIT_BYTES) {
    return `must be at most ${LOGO_LIMIT_BYTES} bytes (currently ${content.length})`;
  }
  if (content.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return png(content);
  const text = content.toString('utf8');
  return /^\uFEFF?\s*<(?:\?xml|svg|!--)/.test(text) ? svg(text, content) : 'must be a PNG or an SVG picture';
}

/** The first chunk (PNG, third edition, section 11.2.1) has width and height. */
function png(content: Buffer): Logo | string {
  if (content.length < 33 || content.toString('latin1', 12, 16) !== 'IHDR')
    return 'is not a complete PNG image';
  const sides = [content.readUInt32BE(16), content.readUInt32BE(20)];
  if (sides.some((side) => side === 0 || side > MAX_SIDE)) {
    return `must be at most ${MAX_SIDE} pixels wide and high`;
  }
  return { type: 'image/png', content };
}

/** Pages show it by `<img>`, in which it runs and loads nothing. Content that expands when it is read is refused as well. */
function svg(text: string, content: Buffer): Logo | string {
  if (!/<svg[\s>]/.test(text) || !/<\/svg>\s*$/.test(text)) return 'is not a complete SVG image';
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return 'must be SVG without a document type declaration';
  if (/<script[\s>/]|<foreignObject[\s>/]|\son\w+\s*=/i.test(text)) return 'must be SVG without scripts';
  return { type: 'image/svg+xml', content };
}

export const logoPath = (logoId: string): string => `/brand/${logoId}`;
