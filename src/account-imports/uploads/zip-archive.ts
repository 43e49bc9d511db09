// Reads a zip archive from the storage, entry by entry, within limits on their number and sizes.
import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { Refusal } from '../../contract/refusal.js';
import { type SpooledFile, unusableFile } from './upload.js';

const MAX_ENTRIES = 20_000;
const MAX_UNPACKED_BYTES = 8 * 1024 ** 3;
/** Ratio of the unpacked size to the archive, from a size on at which it matters. Text is rarely compressed to a fiftieth. */
const MAX_RATIO = 200;
const RATIO_MATTERS_BYTES = 256 * 1024 * 1024;
/** Names, comments and further fields of all entries, which are held in memory. */
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
const WINDOW_BYTES = 256 * 1024;

const DAMAGED = 'is damaged or incomplete, because it is not a readable zip archive';

export interface ArchiveEntry {
  /** Path within the archive. */
  path: string;
  /** Size that the archive declares. Reading fails beyond it. */
  bytes: number;
  read(): AsyncGenerator<Uint8Array>;
}

/**
 * Returns the entries that are wanted, in the order of the archive. Throws a Refusal for an archive that is damaged or exceeds a
 * limit, and for paths that leave the archive.
 */
export async function openArchive(
  file: SpooledFile,
  isWanted: (path: string) => boolean,
): Promise<ArchiveEntry[]> {
  const found: ArchiveEntry[] = [];
  let bytes = 0;
  const zip = await readable(() =>
    fromRandomAccessReaderPromise(new StorageReader(file), file.size, { autoClose: false }),
  );
  if (zip.entryCount > MAX_ENTRIES) throw unusableFile(`has more than ${MAX_ENTRIES} entries`);
  const entries = await readable(() => allEntries(zip));
  for (const entry of entries) {
    if (entry.fileName.endsWith('/') || !isWanted(entry.fileName)) continue;
    if (entry.isEncrypted()) throw unusableFile('is encrypted. Upload it without a password');
    bytes += entry.uncompressedSize;
    found.push({
      path: entry.fileName,
      bytes: entry.uncompressedSize,
      read: () => contentOf(zip, entry),
    });
  }
  const isBomb = bytes > RATIO_MATTERS_BYTES && bytes > file.size * MAX_RATIO;
  if (isBomb || bytes > MAX_UNPACKED_BYTES) throw unusableFile('is too large when unpacked');
  return found;
}

async function allEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    if (entries.length >= MAX_ENTRIES) break;
    bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (bytes > MAX_DIRECTORY_BYTES) throw unusableFile('has entry names that are too long');
    entries.push(entry);
  }
  return entries;
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream = await readable(() => zip.openReadStreamPromise(entry));
  const pieces = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await readable(() => pieces.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    stream.destroy();
  }
}

/** Every error of the library is about the archive. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal ? error : unusableFile(DAMAGED);
  }
}

class StorageReader extends RandomAccessReader {
  readonly #file: SpooledFile;

  constructor(file: SpooledFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end), { objectMode: false });
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end;) {
      const octets = await this.#file.read(at, Math.min(WINDOW_BYTES, end - at));
      if (octets === null || octets.length === 0) throw new Error('The file is shorter than its archive.');
      yield octets;
      at += octets.length;
    }
  }
}
