// Base copies: the whole database file in parts, and a manifest that completes them. The file is read while the server writes. Pages
// that change meanwhile are in increments too, so whoever restores applies all increments up to `consistent_from`.
import { type FileHandle, open } from 'node:fs/promises';
import { type Clock, productVersion } from '../lib/runtime/index.js';
import { parseReplicaName, type ReplicaNames } from './names.rules.js';
import { encodePageFile, fileHash, MOST_PAGES, type PageImages } from './page-file.js';
import { parseReplicaJson } from './replica-json.js';
import type { ReplicaPlace } from './replica-place.js';

const HEADER_BYTES = 100;
/** In the header of the file: the size of a page, and the number that stands for 65,536. */
const PAGE_SIZE_AT = 16;
const LARGEST_AS = 1;
const LARGEST = 65_536;
const MOST_MANIFEST_BYTES = 16 * 1024 * 1024;

export interface BaseManifest {
  format: 1;
  kind: 'replica_base';
  generation: number;
  /** The copy contains the increments up to this one; the next one applies to it. */
  after: number;
  /** SHA-256 of increment `after` in hex. */
  after_hash: string;
  /** Increment from which on the database is consistent. */
  consistent_from: number;
  page_bytes: number;
  parts: { file: string; sha256: string; bytes: number }[];
  /** File with the sealed keys; null without a passphrase. */
  keys: string | null;
  /** When the copy was begun (ISO 8601), and when `consistent_from` was made. */
  created_at: string;
  consistent_at: string;
  version: string;
}

interface CopyRequest {
  /** Database file. Its log was emptied after increment `after`. */
  file: string;
  generation: number;
  after: number;
  afterHash: string;
  key: Buffer;
  names: ReplicaNames;
  /** Stores a file, however long that takes. */
  put: (name: string, octets: Buffer) => Promise<void>;
  /** Returns the number of the last increment, after everything in the log was captured. */
  lastIncrement: () => number;
  /** Key files sealed under the passphrase; null without one. */
  sealedKeys: string | null;
  clock: Clock;
}

export async function copyBase(request: CopyRequest): Promise<BaseManifest> {
  const { generation, after, names, put, sealedKeys, clock } = request;
  const since = clock();
  const parts: BaseManifest['parts'] = [];
  let pageBytes = 0;
  for await (const part of readParts(request)) {
    const file = names.basePart(generation, after, parts.length + 1);
    await put(file, part.octets);
    parts.push({ file, sha256: fileHash(part.octets), bytes: part.octets.length });
    ({ pageBytes } = part);
  }
  const keys = sealedKeys === null ? null : names.keys(generation, after);
  if (keys !== null && sealedKeys !== null) await put(keys, Buffer.from(sealedKeys));
  const manifest: BaseManifest = {
    ...({ format: 1, kind: 'replica_base' } as const),
    ...{ generation, after, after_hash: request.afterHash, consistent_from: request.lastIncrement() },
    ...{ page_bytes: pageBytes, parts, keys, created_at: new Date(since).toISOString() },
    ...{ consistent_at: new Date(clock()).toISOString(), version: productVersion() },
  };
  await put(names.base(generation, after), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  return manifest;
}

async function* readParts({
  file,
  generation,
  after,
  key,
}: CopyRequest): AsyncGenerator<{ octets: Buffer; pageBytes: number }> {
  const handle = await open(file, 'r');
  try {
    const pageBytes = await readPageSize(handle);
    if (pageBytes === null) return;
    const chunk = Buffer.alloc(pageBytes * MOST_PAGES);
    for (let part = 1, page = 1; ; part++) {
      const count = Math.floor((await readFully(handle, chunk, (page - 1) * pageBytes)) / pageBytes);
      if (count === 0) return;
      const first = page;
      const pages: PageImages = Array.from({ length: count }, (_, i) => [
        first + i,
        chunk.subarray(i * pageBytes, (i + 1) * pageBytes),
      ]);
      const head = { format: 1, kind: 'base_part', generation, after, part } as const;
      yield {
        octets: encodePageFile(key, { head: { ...head, page_bytes: pageBytes, pages: count }, pages }),
        pageBytes,
      };
      page += count;
    }
  } finally {
    await handle.close();
  }
}

/** Returns null for an empty file. */
async function readPageSize(handle: FileHandle): Promise<number | null> {
  const header = Buffer.alloc(HEADER_BYTES);
  if ((await readFully(handle, header, 0)) < HEADER_BYTES) return null;
  const size = header.readUInt16BE(PAGE_SIZE_AT);
  return size === LARGEST_AS ? LARGEST : size;
}

async function readFully(handle: FileHandle, into: Buffer, at: number): Promise<number> {
  let filled = 0;
  while (filled < into.length) {
    const { bytesRead } = await handle.read(into, filled, into.length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** Returns the complete base copies at the place, oldest first. */
export async function listBases(
  place: ReplicaPlace,
  names: ReplicaNames,
): Promise<{ generation: number; after: number }[]> {
  return (await place.list(names.bases)).flatMap((name) => {
    const file = parseReplicaName(name);
    return file?.kind === 'base' ? [{ generation: file.generation, after: file.after }] : [];
  });
}

export async function readBase(
  place: ReplicaPlace,
  names: ReplicaNames,
  { generation, after }: { generation: number; after: number },
): Promise<BaseManifest> {
  const name = names.base(generation, after);
  const octets = await place.get(name, MOST_MANIFEST_BYTES);
  if (octets === null) throw new Error(`${name} is missing.`);
  return parseReplicaJson<BaseManifest>(octets, { kind: 'replica_base', name });
}
