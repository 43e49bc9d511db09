// Converts the line ends of programs that write a bare LF or CR to CRLF (RFC 5321 section 2.3.8). Only for
// trusted senders: with unknown clients, an ambiguous line end makes the end of the message ambiguous.

const LF = 0x0a;
const CR = 0x0d;
const DOT = 0x2e;

/**
 * Converts every LF, CR and CRLF to CRLF, and also CR CR LF, a CRLF that was converted twice. `afterSmtp`
 * makes one of two dots after a bare LF, because a sender that ends lines with LF stuffs dots after it
 * (RFC 5321 section 4.5.2), and the reader of the data leaves that stuffing in place. A single dot there stays.
 */
export function mendLineEnds(octets: Buffer, { afterSmtp }: { afterSmtp: boolean }): Buffer {
  const bare = bareLineEnds(octets);
  if (bare === 0) return octets;
  const mended = Buffer.allocUnsafeSlow(octets.length + bare);
  let to = 0;
  const endLine = (): void => {
    mended[to++] = CR;
    mended[to++] = LF;
  };
  for (let at = 0; at < octets.length; at++) {
    const octet = octets[at] ?? 0;
    if (octet === CR) {
      let end = at;
      while (octets[end] === CR) end++;
      const isOne = octets[end] === LF;
      for (let count = isOne ? 1 : end - at; count > 0; count--) endLine();
      at = isOne ? end : end - 1;
    } else if (octet === LF) {
      endLine();
      if (afterSmtp && octets[at + 1] === DOT && octets[at + 2] === DOT) at++;
    } else {
      mended[to++] = octet;
    }
  }
  return mended.subarray(0, to);
}

function bareLineEnds(octets: Buffer): number {
  let count = 0;
  for (let at = 0; at < octets.length; at++) {
    const octet = octets[at] ?? 0;
    if (octet > CR) continue;
    if (octet === CR ? octets[at + 1] !== LF : octet === LF && octets[at - 1] !== CR) count++;
  }
  return count;
}
