// Converts internationalized domain names to A-labels by UTS #46 without transitional processing, as in the
// URL Standard (RFC 5890). The package has its own Unicode tables, so the result does not depend on the
// release of Node.
import tr46 from 'tr46';

/** Forbidden domain code points of the URL Standard. */
const FORBIDDEN = /[\x00-\x20#%/:<>?@[\\\]^|\x7f]/;

/** Returns the name in lower case with A-labels; `null` if IDNA refuses it or nothing is left of it. */
export function toAscii(domain: string): string | null {
  const ascii = tr46.toASCII(domain, { checkBidi: true, checkJoiners: true });
  return ascii === null || ascii === '' || FORBIDDEN.test(ascii) ? null : ascii;
}
