// Stores files of an installation by name, in a folder of the machine. With a PostgreSQL server, they are in
// its database instead (operations/files).
import { mkdir, open, readdir, readFile, stat, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createFileOnce, hasCode, replaceFile, syncFolder } from './whole-file.js';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

export interface FileReads {
  /** Reads the whole file; `null` if there is none. For files that fit into memory. */
  read(name: string): Promise<Uint8Array | null>;
}

/** Small files that appear whole or not at all, even with a second process. Resolved writes are on disk. */
export interface WholeFiles extends FileReads {
  replace(name: string, content: string | Uint8Array): Promise<void>;
  /** Creates the file unless it exists, and returns its text. */
  createOnce(name: string, text: string): Promise<string>;
  /** Returns the location, for an operator. */
  placeOf(name: string): string;
}

/** Also files of any size, which are read and written in pieces. */
export interface StoredFiles extends WholeFiles {
  /** Lists the files last written before that moment; all files without one. */
  names(before?: number): Promise<string[]>;
  remove(name: string): Promise<void>;
  /** Creates a file from the pieces and returns its size once it is on disk. A failure leaves no file. */
  receive(name: string, pieces: AsyncIterable<Uint8Array>): Promise<number>;
  /** Reads up to `bytes` from `offset` on; fewer only at the end. `null` if there is no file. */
  readAt(name: string, offset: number, bytes: number): Promise<Uint8Array | null>;
  /**
   * Writes the octets at `offset`, which ends the file; on disk when it resolves. Returns false if the file
   * is shorter than `offset`. After a crash, the file has everything before `offset` and any part of the
   * rest.
   */
  writeAt(name: string, offset: number, octets: Uint8Array): Promise<boolean>;
  /** Returns `null` if there is no file. `end` is exclusive. */
  stream(name: string, range: { start: number; end: number }): Promise<Readable | null>;
}

/** Throws if the name is anything else, such as a path. */
export function checkFileName(name: string): string {
  if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a file.`);
  return name;
}

export async function readText(files: FileReads, name: string): Promise<string | null> {
  const octets = await files.read(name);
  return octets === null ? null : Buffer.from(octets).toString();
}

/** Stores private files in a folder, which is created with the first file. */
export function createFolderFiles(folder: string): StoredFiles {
  const pathOf = (name: string): string => join(folder, checkFileName(name));

  async function prepare(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  }

  async function remove(name: string): Promise<void> {
    await unlink(pathOf(name)).catch(unlessMissing);
  }

  return {
    placeOf: pathOf,
    remove,
    read: (name) => readFile(pathOf(name)).catch(unlessMissing),
    replace: (name, content) => replaceFile(pathOf(name), content),
    createOnce: (name, text) => createFileOnce(pathOf(name), text),

    async names(before = Infinity) {
      const found: string[] = [];
      for (const name of (await readdir(folder).catch(unlessMissing)) ?? []) {
        if (!NAME.test(name)) continue;
        const facts = await stat(join(folder, name)).catch(unlessMissing); // removed meanwhile
        if (facts !== null && facts.isFile() && facts.mtimeMs < before) found.push(name);
      }
      return found;
    },

    async receive(name, pieces) {
      await prepare();
      const file = await open(pathOf(name), 'wx', PRIVATE_FILE);
      try {
        const size = await writePieces(file, pieces);
        await file.sync();
        await file.close();
        await syncFolder(folder);
        return size;
      } catch (error) {
        await file.close().catch(() => undefined); // already closed
        await remove(name);
        throw error;
      }
    },

    async readAt(name, offset, bytes) {
      const file = await openIfThere(pathOf(name), 'r');
      if (!file) return null;
      try {
        return await readPiece(file, offset, bytes);
      } finally {
        await file.close();
      }
    },

    async writeAt(name, offset, octets) {
      const path = pathOf(name);
      const known = await openIfThere(path, 'r+');
      if (!known && offset > 0) return false;
      if (!known) await prepare();
      const file = known ?? (await open(path, 'w', PRIVATE_FILE));
      try {
        if ((await file.stat()).size < offset) return false;
        await file.truncate(offset);
        await writeAll(file, octets, offset);
        await file.datasync();
      } finally {
        await file.close();
      }
      if (!known) await syncFolder(folder);
      return true;
    },

    async stream(name, { start, end }) {
      const file = end <= start ? null : await openIfThere(pathOf(name), 'r');
      return file?.createReadStream({ start, end: end - 1 }) ?? null;
    },
  };
}

async function readPiece(file: FileHandle, offset: number, bytes: number): Promise<Uint8Array> {
  const octets = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await file.read(octets, filled, bytes - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return octets.subarray(0, filled);
}

async function writePieces(file: FileHandle, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const piece of pieces) {
    await writeAll(file, piece, size);
    size += piece.length;
  }
  return size;
}

async function writeAll(file: FileHandle, octets: Uint8Array, offset: number): Promise<void> {
  let written = 0;
  while (written < octets.length) {
    const { bytesWritten } = await file.write(octets, written, octets.length - written, offset + written);
    written += bytesWritten;
  }
}

async function openIfThere(path: string, flags: 'r' | 'r+'): Promise<FileHandle | null> {
  return open(path, flags).catch(unlessMissing);
}

function unlessMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}
