// The end of a message, and its transparency undone (RFC 5321 section 4.5.2), out of octets in any division. Only CRLF
// ends a line, so only CRLF dot CRLF ends a message. The cost per octet is the same whatever they are.

const LF = 10;
const CR = 13;
const DOT = 46;
const HELD_CR = Buffer.of(CR);

export interface DotRead {
  /** Of the message; may be empty. Shares memory with what was given. */
  content: Buffer;
  /** What follows the final dot; null while the message goes on. */
  rest: Buffer | null;
}

/** `read` may write into the octets that it is given. After the end it must not be called again. */
export interface DotReader {
  read(octets: Buffer): DotRead;
}

type Place = 'line start' | 'line' | 'after CR' | 'after dot' | 'after dot CR';

export function createDotReader(): DotReader {
  let place: Place = 'line start';

  return {
    read(octets) {
      // The CR of what might be the end is kept back. When a division begins with the proof that it was none, the CR
      // comes first; found within a division, there is room where the dot and the CR were.
      const owesCr = place === 'after dot CR' && octets.length > 0 && octets[0] !== LF;
      let to = 0;
      for (let at = 0; at < octets.length; at += 1) {
        const octet = octets[at] ?? 0;
        if (place === 'line start' && octet === DOT) {
          place = 'after dot';
          continue;
        }
        if (place === 'after dot' && octet === CR) {
          place = 'after dot CR';
          continue;
        }
        if (place === 'after dot CR') {
          if (octet === LF) return { content: contentOf(octets, to, owesCr), rest: octets.subarray(at + 1) };
          if (at > 0) octets[to++] = CR;
        }
        place = octet === CR ? 'after CR' : octet === LF && place === 'after CR' ? 'line start' : 'line';
        octets[to++] = octet;
      }
      return { content: contentOf(octets, to, owesCr), rest: null };
    },
  };
}

function contentOf(octets: Buffer, end: number, owesCr: boolean): Buffer {
  const content = octets.subarray(0, end);
  return owesCr ? Buffer.concat([HELD_CR, content]) : content;
}
