// Finds octets that a message must not have to be passed on: a CR or LF that stands alone, and NUL (RFC 5321 section 2.3.8).
// Servers that disagree about where such a message ends can be made to see a second one in it (SMTP smuggling).

const NUL = 0;
const LF = 10;
const CR = 13;

export type OctetFault = 'NUL' | 'bare line end';

export interface OctetCheck {
  /** Looks at the next octets, in any division, and answers what was wrong so far; of the two, NUL. */
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
/** Longer header blocks are looked at so far: a loop of fifty servers fits in a small part of it. */
const MAX_HEADER_OCTETS = 512 * 1024;

/** Number of servers that a message came through: its Received fields (RFC 5321 section 6.3). */
export function countReceivedFields(raw: Buffer): number {
  const end = raw.indexOf(END_OF_HEADER);
  const headerEnd = Math.min(end === -1 ? raw.length : end, MAX_HEADER_OCTETS);
  return raw.toString('latin1', 0, headerEnd).match(/^received:/gim)?.length ?? 0;
}
