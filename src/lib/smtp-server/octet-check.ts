// Finds octets that make a message unsafe to pass on: NUL, and a bare CR or LF (RFC 5321 section 2.3.8).
// Servers that disagree about where such a message ends can be tricked into reading a second message in it
// (SMTP smuggling).

const NUL = 0;
const LF = 10;
const CR = 13;

export type OctetFault = 'NUL' | 'bare line end';

interface OctetCheck {
  /**
   * Checks the next octets, split in any way, and returns the worst fault so far; NUL outranks a bare line
   * end.
   */
  faultIn(octets: Buffer): OctetFault | null;
}

export function createOctetCheck(): OctetCheck {
  let previous = LF;
  let fault: OctetFault | null = null;
  return {
    faultIn(octets) {
      if (fault === 'NUL') return fault;
      let last = previous;
      for (let at = 0; at < octets.length; at += 1) {
        const octet = octets[at] ?? NUL;
        if (octet <= CR || last === CR) {
          const isBareLf = octet === LF && last !== CR;
          const isBareCr = last === CR && octet !== LF;
          if (octet === NUL) return (fault = 'NUL');
          if (isBareLf || isBareCr) fault = 'bare line end';
        }
        last = octet;
      }
      previous = last;
      return fault;
    },
  };
}

const END_OF_HEADER = Buffer.from('\r\n\r\n');
/**
 * Counting stops here in longer header blocks. A loop through fifty servers needs only a small part of it.
 */
const MAX_HEADER_OCTETS = 512 * 1024;

/** Counts the servers that a message passed through, by its Received fields (RFC 5321 section 6.3). */
export function countReceivedFields(raw: Buffer): number {
  const end = raw.indexOf(END_OF_HEADER);
  const headerEnd = Math.min(end === -1 ? raw.length : end, MAX_HEADER_OCTETS);
  return raw.toString('latin1', 0, headerEnd).match(/^received:/gim)?.length ?? 0;
}
