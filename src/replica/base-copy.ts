// Base copies: the whole database file in parts, and a manifest that completes them. A later copy shares the parts of the previous
// one and adds the pages that changed since. The file is read while the server writes. Pages that change in the meantime are in
// increments too, so a restore applies all increments up to `consistent_from`.
import { type FileHandle, open } from 'node:fs/promises';
import { type Clock, productVersion } from '../lib/runtime/index.js';
import { parseReplicaName, type ReplicaNames } from './names.rules.js';
import { encodePageFile, fileHash, MOST_PAGES, type PageImages } from './page-file.js';
import { parseReplicaJson, ReplicaError } from './replica-json.js';
import type { ReplicaStorage } from './replica-storage.js';

const HEADER_BYTES = 100;
/** In the header of the file: the size of a page, and the number that stands for 65,536. */
const PAGE_SIZE_AT = 16;
const LARGEST_AS = 1;
const LARGEST = 65_536;
/** Parts of a copy that shares; one more for each part that a whole copy would have. */
const MOST_SHARED = 64;
const MOST_SHARED_PER_PART = 2;
const MOST_MANIFEST_BYTES = 16 * 1024 * 1024;

interface BasePart {
  file: string;
  sha256: string;
  bytes: number;
}

/** A copy to extend, and the pages that changed since. */
interface FormerBase {
  base: BaseManifest;
  changed: ReadonlySet<number>;
}

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
  /** In this order; pages of later ones replace those of earlier ones. */
  parts: BasePart[];
  /** File with the sealed keys; null without a passphrase. */
  keys: string | null;
  /** When the copy was started (ISO 8601), and when `consistent_from` was created. */
  created_at: string;
  consistent_at: string;
  version: string;
}

interface CopyRequest {
  /** Database file. Its log was checkpointed after increment `after`. */
  file: string;
  generation: number;
  after: number;
  afterHash: string;
  /** `null` to copy the whole file. */
  former: FormerBase | null;
  key: Buffer;
  names: ReplicaNames;
  /** Stores a file, and retries until it succeeds. */
  put: (name: string, octets: Buffer) => Promise<void>;
  /** Returns the number of the last increment, after everything in the log was captured. */
  lastIncrement: () => number;
  /** Key files encrypted with the passphrase; null without one. */
  sealedKeys: string | null;
  clock: Clock;
}

export async function copyBase(request: CopyRequest): Promise<BaseManifest> {
  const { generation, after, names, put, sealedKeys, clock } = request;
  const since = clock();
  const parts: BasePart[] = [];
  let pageBytes = 0;
  let shared: readonly BasePart[] = [];
  const handle = await open(request.file, 'r');
  try {
    pageBytes = await readPageSize(handle);
    const source = {
      handle,
      pageBytes,
      pages: pageBytes === 0 ? 0 : Math.floor((await handle.stat()).size / pageBytes),
    };
    shared = partsToShare(request.former, source.pages);
    const wanted = shared.length > 0 ? request.former?.changed : undefined;
    for await (const pages of wanted === undefined ? readAll(source) : readSome(source, wanted)) {
      const part = parts.length + 1;
      const head = { format: 1, kind: 'base_part', generation, after, part } as const;
      const octets = encodePageFile(request.key, {
        head: { ...head, page_bytes: pageBytes, pages: pages.length },
        pages,
      });
      const file = names.basePart(generation, after, part);
      await put(file, octets);
      parts.push({ file, sha256: fileHash(octets), bytes: octets.length });
    }
  } finally {
    await handle.close();
  }
  const keys = sealedKeys === null ? null : names.keys(generation, after);
  if (keys !== null && sealedKeys !== null) await put(keys, Buffer.from(sealedKeys));
  const manifest: BaseManifest = {
    ...({ format: 1, kind: 'replica_base' } as const),
    ...{ generation, after, after_hash: request.afterHash, consistent_from: request.lastIncrement() },
    ...{
      page_bytes: pageBytes,
      parts: [...shared, ...parts],
      keys,
      created_at: new Date(since).toISOString(),
    },
    ...{ consistent_at: new Date(clock()).toISOString(), version: productVersion() },
  };
  await put(names.base(generation, after), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  return manifest;
}

interface PageSource {
  handle: FileHandle;
  pageBytes: number;
  /** Number of pages of the file. */
  pages: number;
}

/** Returns the parts that a copy shares with the previous one. None, if a whole copy costs little more or restores much faster. */
function partsToShare(former: FormerBase | null, pages: number): readonly BasePart[] {
  if (former === null || former.changed.size > pages / 2) return [];
  const { parts } = former.base;
  return parts.length > MOST_SHARED_PER_PART * Math.ceil(pages / MOST_PAGES) + MOST_SHARED ? [] : parts;
}

async function* readAll({ handle, pageBytes, pages }: PageSource): AsyncGenerator<PageImages> {
  const chunk = Buffer.alloc(Math.min(pages, MOST_PAGES) * pageBytes);
  for (let first = 1; first <= pages;) {
    const count = Math.floor((await readFully(handle, chunk, (first - 1) * pageBytes)) / pageBytes);
    // The file has become shorter.
    if (count === 0) return;
    const start = first;
    yield Array.from({ length: count }, (_, i) => [
      start + i,
      chunk.subarray(i * pageBytes, (i + 1) * pageBytes),
    ]);
    first += count;
  }
}

async function* readSome(
  { handle, pageBytes, pages }: PageSource,
  wanted: ReadonlySet<number>,
): AsyncGenerator<PageImages> {
  const sorted = [...wanted].filter((page) => page <= pages).toSorted((a, b) => a - b);
  for (let i = 0; i < sorted.length; i += MOST_PAGES) {
    const images: [number, Buffer][] = [];
    for (const page of sorted.slice(i, i + MOST_PAGES)) {
      const image = Buffer.alloc(pageBytes);
      if ((await readFully(handle, image, (page - 1) * pageBytes)) === pageBytes) images.push([page, image]);
    }
    if (images.length > 0) yield images;
  }
}

/** Returns 0 for an empty file. */
async function readPageSize(handle: FileHandle): Promise<number> {
  const header = Buffer.alloc(HEADER_BYTES);
  if ((await readFully(handle, header, 0)) < HEADER_BYTES) return 0;
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

/** Returns the complete base copies in the storage, oldest first. */
export async function listBases(
  storage: ReplicaStorage,
  names: ReplicaNames,
): Promise<{ generation: number; after: number }[]> {
  return (await storage.list(names.bases)).flatMap((name) => {
    const file = parseReplicaName(name);
    return file?.kind === 'base' ? [{ generation: file.generation, after: file.after }] : [];
  });
}

export async function readBase(
  storage: ReplicaStorage,
  names: ReplicaNames,
  { generation, after }: { generation: number; after: number },
): Promise<BaseManifest> {
  const name = names.base(generation, after);
  const octets = await storage.get(name, MOST_MANIFEST_BYTES);
  if (octets === null) throw new ReplicaError(`${name} is missing.`);
  return parseReplicaJson<BaseManifest>(octets, { kind: 'replica_base', name });
}

/** Returns null for a manifest that is damaged or missing. */
export async function readableBase(
  storage: ReplicaStorage,
  names: ReplicaNames,
  base: { generation: number; after: number },
): Promise<BaseManifest | null> {
  try {
    return await readBase(storage, names, base);
  } catch (error) {
    if (error instanceof ReplicaError) return null;
    throw error;
  }
}
