// Internationalized domain names as A-labels: UTS #46 without transitional processing, as the URL Standard uses it (RFC 5890). The
// package brings the tables of Unicode, so that every release of Node gives the same answer.
import tr46 from 'tr46';

/** The URL Standard's forbidden domain code points. */
const FORBIDDEN = /[\x00-\x20#%/:<>?@[\\\]^|\x7f]/;

/** Returns the name in lower case with A-labels; null if IDNA refuses it, or if nothing is left of it. */
export function toAscii(domain: string): string | null {
  const ascii = tr46.toASCII(domain, { checkBidi: true, checkJoiners: true });
  return ascii === null || ascii === '' || FORBIDDEN.test(ascii) ? null : ascii;
}
