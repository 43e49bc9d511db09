// Line ends as SMTP has them (RFC 5321 section 2.3.8), for the mail of programs that write LF or CR alone. Only for senders who
// are known: with unknown clients, a doubt about where lines end is a doubt about where the message ends.

const LF = 0x0a;
const CR = 0x0d;
const DOT = 0x2e;

/**
 * Every LF, every CR and every CRLF becomes CRLF, and so does CR CR LF, which is CRLF that was converted twice. Two dots after an LF
 * that stood alone become one: who ends lines with LF stuffs them by it (RFC 5321 section 4.5.2), and the reader of the data, for
 * whom that was no line end, has left it. A lone dot there stays.
 */
export function mendLineEnds(octets: Buffer): Buffer {
  const mended = Buffer.allocUnsafeSlow(octets.length + bareLineEnds(octets));
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
      if (octets[at + 1] === DOT && octets[at + 2] === DOT) at++;
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
