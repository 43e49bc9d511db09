// Files of database pages, used by base copies and increments: a line of JSON, then pages, compressed and encrypted. The line is
// authenticated with them (docs/replica.md).
import { hash, hkdfSync } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { WalPosition } from '../database/engine/wal-tail.js';
import { openOctets, sealOctets } from '../lib/secrets/index.js';

const FORMAT = 1;
const PAGE_NUMBER_BYTES = 4;
const KEY_BYTES = 32;
const LINE_END = 0x0a;
/** A fast level, which reaches about two thirds of the default's compression. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** Pages of one file. */
export const MOST_PAGES = 4_096;
const MOST_PAGE_BYTES = 65_536;
/** Largest file that is read. */
export const MOST_FILE_BYTES = MOST_PAGES * (MOST_PAGE_BYTES + PAGE_NUMBER_BYTES) + 65_536;

interface Head {
  format: typeof FORMAT;
  generation: number;
  page_bytes: number;
  pages: number;
}

export interface IncrementHead extends Head {
  kind: 'increment';
  number: number;
  /** SHA-256 of the increment before in hex. */
  previous: string;
  /** Size of the database in pages after it; null if later increments belong to the same transaction. */
  database_pages: number | null;
  /** Time until which commits are included (ISO 8601). */
  until: string;
  /** Position in the write-ahead log at which the next increment begins; null for its start. */
  wal: WalPosition | null;
}

interface BasePartHead extends Head {
  kind: 'base_part';
  after: number;
  part: number;
}

type PageFileHead = IncrementHead | BasePartHead;

/** Each page with its image. */
export type PageImages = readonly (readonly [page: number, image: Buffer])[];

export interface PageFile<H extends PageFileHead = PageFileHead> {
  head: H;
  pages: PageImages;
}

/** A file is damaged, changed, or not the one that its name says. The message explains the problem. */
export class PageFileError extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'PageFileError';
  }
}

export function encodePageFile(
  key: Buffer,
  { head, pages }: { head: PageFileHead; pages: PageImages },
): Buffer {
  const line = JSON.stringify(head);
  const numbers = Buffer.alloc(pages.length * PAGE_NUMBER_BYTES);
  pages.forEach(([page], i) => numbers.writeUInt32BE(page, i * PAGE_NUMBER_BYTES));
  const content = Buffer.concat([numbers, ...pages.map(([, image]) => image)]);
  return Buffer.concat([
    Buffer.from(`${line}\n`),
    sealOctets(key, zstdCompressSync(content, COMPRESSION), context(line)),
  ]);
}

/** Throws a PageFileError. */
export function decodePageFile(key: Buffer, octets: Buffer): PageFile {
  const end = octets.indexOf(LINE_END);
  const line = octets.toString('utf8', 0, Math.max(end, 0));
  const head = parseHead(line);
  const content = open(key, octets.subarray(end + 1), line, head);
  const { pages: count, page_bytes: pageBytes } = head;
  const imagesAt = count * PAGE_NUMBER_BYTES;
  if (content.length !== imagesAt + count * pageBytes) throw new PageFileError('has another length');
  const pages = Array.from({ length: count }, (_, i) => {
    const at = imagesAt + i * pageBytes;
    return [content.readUInt32BE(i * PAGE_NUMBER_BYTES), content.subarray(at, at + pageBytes)] as const;
  });
  return { head, pages };
}

function open(key: Buffer, sealed: Buffer, line: string, head: PageFileHead): Buffer {
  try {
    const maxOutputLength = head.pages * (head.page_bytes + PAGE_NUMBER_BYTES) + 1;
    return zstdDecompressSync(openOctets(key, sealed, context(line)), { maxOutputLength });
  } catch (error) {
    throw new PageFileError('is damaged, or belongs to other keys', { cause: error });
  }
}

/** Checks the sizes; everything else in the line is authenticated. */
function parseHead(line: string): PageFileHead {
  let head: Partial<PageFileHead>;
  try {
    head = JSON.parse(line) as Partial<PageFileHead>;
  } catch (error) {
    throw new PageFileError('has no readable first line', { cause: error });
  }
  const { format, pages, page_bytes: pageBytes } = head;
  if (format !== FORMAT)
    throw new PageFileError(`has format ${String(format)}, which this release cannot read`);
  if (!isCount(pages, MOST_PAGES) || !isCount(pageBytes, MOST_PAGE_BYTES)) {
    throw new PageFileError('has sizes out of range');
  }
  return head as PageFileHead;
}

function isCount(value: unknown, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
}

function context(line: string): string {
  return `replica:${line}`;
}

/** Identifies a file: SHA-256 in lowercase hex. */
export function fileHash(octets: Buffer): string {
  return hash('sha256', octets, 'hex');
}

/** Derives the key that seals a replica from the master key. */
export function replicaKey(masterKey: Buffer, keySetId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, keySetId, 'replica', KEY_BYTES));
}
