// The files of an installation, which are in the data folder beside a SQLite file, or in rows of a PostgreSQL server that every
// node can read.
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Clock } from '../../lib/runtime/index.js';
import { openSecret, sealSecret } from '../../lib/secrets/index.js';
import {
  checkFileName,
  createFolderFiles,
  type FileReads,
  type StoredFiles,
  type WholeFiles,
} from '../../lib/files/index.js';
import type { DatabasePlace } from '../../database/engine/place.js';
import { PART_BYTES, type FileId, type FileReadStore, type FileStore } from './stored-files.store.js';

export interface InstallationFiles {
  /** Files of imports, exports and bulk actions. */
  transfers: StoredFiles;
  /** Segments of the events of deleted messages. */
  archive: StoredFiles;
  /** Certificates with their keys, and the state of ACME. */
  tls: WholeFiles;
  /** Open challenges of a certificate authority, which may query any node. `null` with a single node. */
  challenges: StoredFiles | null;
}

/** Folder of the files, or the database whose rows hold them. */
interface FileLocation {
  place: DatabasePlace;
  dataFolder: string;
}

/** Folders of the installation, named as in the data folder. */
export const FILE_FOLDERS = ['transfers', 'archive', 'tls'] as const;

export function installationFiles({
  place,
  dataFolder,
  store,
  masterKey,
  clock,
}: FileLocation & { store: FileStore; masterKey: Buffer; clock: Clock }): InstallationFiles {
  if (place.kind === 'file') {
    const at = (folder: string): StoredFiles => createFolderFiles(join(dataFolder, folder));
    return { transfers: at('transfers'), archive: at('archive'), tls: at('tls'), challenges: null };
  }
  const at = (folder: string): StoredFiles => createDatabaseFiles(store, { folder, clock });
  return {
    transfers: at('transfers'),
    archive: at('archive'),
    challenges: at('challenges'),
    tls: sealedFiles(at('tls'), masterKey),
  };
}

/** Opens the archive for reading. */
export function archiveFiles({ place, dataFolder }: FileLocation, store: FileReadStore): FileReads {
  return place.kind === 'file' ? createFolderFiles(join(dataFolder, 'archive')) : readsOf(store, 'archive');
}

/** Opens the sealed certificates of a server for reading. */
export function sealedCertificates(store: FileReadStore, masterKey: Buffer): FileReads {
  return sealedReads(readsOf(store, 'tls'), masterKey);
}

function readsOf(store: FileReadStore, folder: string): FileReads {
  return { read: (name) => store.whole({ folder, name: checkFileName(name) }) };
}

function sealedReads(files: FileReads, masterKey: Buffer): FileReads {
  return {
    async read(name) {
      const sealed = await files.read(name);
      return sealed === null
        ? null
        : openSecret(masterKey, Buffer.from(sealed).toString('latin1'), contextOf(name));
    },
  };
}

/** Throws a SecretError if a file cannot be decrypted with the key. */
function sealedFiles(files: WholeFiles, masterKey: Buffer): WholeFiles {
  const seal = (name: string, content: string | Uint8Array): string =>
    sealSecret(masterKey, Buffer.from(content), contextOf(name));
  return {
    ...sealedReads(files, masterKey),
    placeOf: (name) => files.placeOf(name),
    replace: (name, content) => files.replace(name, seal(name, content)),
    async createOnce(name, text) {
      const sealed = await files.createOnce(name, seal(name, text));
      return openSecret(masterKey, sealed, contextOf(name)).toString();
    },
  };
}

const contextOf = (name: string): string => `stored file tls/${name}`;

export function createDatabaseFiles(
  store: FileStore,
  { folder, clock }: { folder: string; clock: Clock },
): StoredFiles {
  const idOf = (name: string): FileId => ({ folder, name: checkFileName(name) });
  const contentOf = (octets: Uint8Array) => ({ octets, at: clock() });

  async function receive(file: FileId, pieces: AsyncIterable<Uint8Array>): Promise<number> {
    let size = 0;
    for await (const part of inParts(pieces)) {
      if (!(await store.putAt(file, size, contentOf(part)))) throw new Error('The file no longer exists.');
      size += part.length;
    }
    return size;
  }

  return {
    ...readsOf(store, folder),
    placeOf: (name) => `${folder}/${name} in the table stored_files`,
    replace: (name, content) => store.replace(idOf(name), contentOf(Buffer.from(content))),
    async createOnce(name, text) {
      if (await store.create(idOf(name), contentOf(Buffer.from(text)))) return text;
      const there = await store.whole(idOf(name));
      if (there === null) throw new Error(`${folder}/${name} no longer exists.`);
      return Buffer.from(there).toString();
    },
    names: (before = Number.MAX_SAFE_INTEGER) => store.names(folder, before),
    remove: (name) => store.remove(idOf(name)),

    async receive(name, pieces) {
      const file = idOf(name);
      if (!(await store.create(file, contentOf(new Uint8Array())))) {
        throw new Error(`${folder}/${name} already exists.`);
      }
      try {
        return await receive(file, pieces);
      } catch (error) {
        await store.remove(file);
        throw error;
      }
    },

    async readAt(name, offset, bytes) {
      const file = idOf(name);
      const octets = Buffer.allocUnsafe(bytes);
      let filled = 0;
      while (filled < bytes) {
        const some = await store.slice(file, offset + filled, bytes - filled);
        if (some === null || some.length === 0) break;
        octets.set(some, filled);
        filled += some.length;
      }
      return filled > 0 || (await store.size(file)) !== null ? octets.subarray(0, filled) : null;
    },

    async writeAt(name, offset, octets) {
      const file = idOf(name);
      let done = 0;
      do {
        const end = done + PART_BYTES - ((offset + done) % PART_BYTES);
        const some = octets.subarray(done, end);
        if (!(await store.putAt(file, offset + done, contentOf(some)))) return false;
        done += some.length;
      } while (done < octets.length);
      return true;
    },

    async stream(name, range) {
      const file = idOf(name);
      if (range.end <= range.start || (await store.size(file)) === null) return null;
      return Readable.from(slices(store, file, range), { objectMode: false });
    },
  };
}

async function* slices(
  store: FileReadStore,
  file: FileId,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end;) {
    const some = await store.slice(file, at, end - at);
    if (some === null || some.length === 0) return;
    yield some;
    at += some.length;
  }
}

/** Splits the same bytes into chunks of one part each, except for the last. */
async function* inParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const part = Buffer.allocUnsafe(PART_BYTES);
  let filled = 0;
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const some = piece.subarray(from, from + PART_BYTES - filled);
      part.set(some, filled);
      filled += some.length;
      from += some.length;
      if (filled < PART_BYTES) continue;
      yield part;
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
