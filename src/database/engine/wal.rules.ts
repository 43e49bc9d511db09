// The write-ahead log of SQLite as a format (https://www.sqlite.org/fileformat2.html#walformat): header, frames and their checksums.

export const WAL_HEADER_BYTES = 32;
export const FRAME_HEADER_BYTES = 24;
/** Magic number of a log whose checksums were computed on a little-endian machine. */
const MAGIC = 0x377f0682;

/** Running checksum of a log up to a frame. */
export type WalSum = readonly [number, number];

export interface WalHeader {
  pageBytes: number;
  /** Two random numbers that every frame repeats, as 16 hex digits. Frames with others belong to an earlier log. */
  salt: string;
  sum: WalSum;
}

export interface Frame {
  page: number;
  /** Size of the database in pages if the frame ends a transaction; otherwise 0. */
  databasePages: number;
  sum: WalSum;
}

/** Returns null for a file that is not a log of this machine's byte order, or whose header is incomplete. */
export function parseWalHeader(octets: Buffer): WalHeader | null {
  if (octets.length < WAL_HEADER_BYTES || octets.readUInt32BE(0) !== MAGIC) return null;
  const sum = addToSum([0, 0], octets.subarray(0, 24));
  if (sum[0] !== octets.readUInt32BE(24) || sum[1] !== octets.readUInt32BE(28)) return null;
  return {
    pageBytes: octets.readUInt32BE(8),
    salt: octets.toString('hex', 16, 24),
    sum,
  };
}

/** Returns null if the octets are not the next frame of this log, which then ends before them. */
export function parseFrame(octets: Buffer, { salt }: Pick<WalHeader, 'salt'>, before: WalSum): Frame | null {
  if (octets.toString('hex', 8, 16) !== salt) return null;
  const sum = addToSum(addToSum(before, octets.subarray(0, 8)), octets.subarray(FRAME_HEADER_BYTES));
  if (sum[0] !== octets.readUInt32BE(16) || sum[1] !== octets.readUInt32BE(20)) return null;
  return { page: octets.readUInt32BE(0), databasePages: octets.readUInt32BE(4), sum };
}

/** `octets` has a multiple of eight octets and starts at a multiple of four in its memory. */
function addToSum([first, second]: WalSum, octets: Buffer): WalSum {
  const words = new Uint32Array(octets.buffer, octets.byteOffset, octets.length / 4);
  let a = first;
  let b = second;
  for (let i = 0; i < words.length; i += 2) {
    a = (a + (words[i] ?? 0) + b) >>> 0;
    b = (b + (words[i + 1] ?? 0) + a) >>> 0;
  }
  return [a, b];
}
