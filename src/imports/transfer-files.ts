// The files of imports and exports in the data folder: private, and on disk before the database speaks of them.
import { mkdir, open, readdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { EXPORT_KINDS } from './export.schema.js';
import { hasCode, syncFolder } from '../lib/runtime/whole-file.js';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

const FILE_KINDS = ['body', 'rejected', 'items', ...EXPORT_KINDS] as const;
/** `body`: what was uploaded. `rejected`: its refused rows. `items`: what a bulk action is for. The others: what was exported. */
export type FileKind = (typeof FILE_KINDS)[number];

export type TransferFiles = ReturnType<typeof createTransferFiles>;

export function createTransferFiles(dataFolder: string) {
  const folder = join(dataFolder, 'transfers');
  const pathOf = (id: string, kind: FileKind): string => join(folder, `${id}.${kind}`);

  async function prepare(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  }

  async function removeFile(path: string): Promise<void> {
    await unlink(path).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
    });
  }

  return {
    /** Writes what arrives; its size, once it is on disk. Whatever ends it early leaves no file. */
    async receive(id: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
      await prepare();
      const path = pathOf(id, 'body');
      const file = await open(path, 'wx', PRIVATE_FILE);
      try {
        let size = 0;
        for await (const piece of pieces) {
          await writeAll(file, piece, size);
          size += piece.length;
        }
        await file.sync();
        await file.close();
        await syncFolder(folder);
        return size;
      } catch (error) {
        await file.close().catch(() => undefined); // closed already
        await removeFile(path);
        throw error;
      }
    },

    /** Up to `bytes` from there on; fewer only at the end. Null when there is no file. */
    async read(id: string, kind: FileKind, offset: number, bytes: number): Promise<Uint8Array | null> {
      const file = await openIfThere(pathOf(id, kind), 'r');
      if (!file) return null;
      try {
        const octets = Buffer.allocUnsafe(bytes);
        let filled = 0;
        while (filled < bytes) {
          const { bytesRead } = await file.read(octets, filled, bytes - filled, offset + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return octets.subarray(0, filled);
      } finally {
        await file.close();
      }
    },

    /**
     * Puts the octets at `offset`, which ends the file; on disk when it resolves. Octets there before were never reported. False
     * when what comes before is not there.
     */
    async writeAt(
      { id, kind, offset }: { id: string; kind: FileKind; offset: number },
      octets: Uint8Array,
    ): Promise<boolean> {
      const path = pathOf(id, kind);
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

    /** Null when there is no file. `end` is exclusive. */
    async stream(
      id: string,
      kind: FileKind,
      range: { start: number; end: number },
    ): Promise<Readable | null> {
      if (range.end <= range.start) return null;
      const file = await openIfThere(pathOf(id, kind), 'r');
      return file?.createReadStream({ start: range.start, end: range.end - 1 }) ?? null;
    },

    async remove(id: string, kinds: readonly FileKind[] = FILE_KINDS): Promise<void> {
      for (const kind of kinds) await removeFile(pathOf(id, kind));
    },

    /** Ids that have files which were last written before that moment. */
    async idsBefore(at: number): Promise<string[]> {
      const names = await readdir(folder).catch((error: unknown) => {
        if (hasCode(error, 'ENOENT')) return [];
        throw error;
      });
      const ids = new Set<string>();
      for (const name of names) {
        const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity })); // gone meanwhile
        if (mtimeMs < at) ids.add(name.slice(0, name.indexOf('.')));
      }
      return [...ids];
    },
  };
}

async function writeAll(file: FileHandle, octets: Uint8Array, offset: number): Promise<void> {
  let written = 0;
  while (written < octets.length) {
    const { bytesWritten } = await file.write(octets, written, octets.length - written, offset + written);
    written += bytesWritten;
  }
}

async function openIfThere(path: string, flags: 'r' | 'r+'): Promise<FileHandle | null> {
  try {
    return await open(path, flags);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
