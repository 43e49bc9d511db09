// The files of imports, exports and bulk actions. They are on disk before the database refers to them.
import type { Readable } from 'node:stream';
import { EXPORT_KINDS } from './export.schema.js';
import { remove } from '../database/rows.js';
import type { StoredFiles } from '../lib/files/index.js';
import type { ImportContext } from './context.js';
import { transfers } from './transfers.tables.js';

/** Number of IDs per lookup. */
const ORPHAN_BATCH = 100;

const FILE_KINDS = ['body', 'archive', 'rejected', 'items', ...EXPORT_KINDS] as const;
/** `body` is an upload, `archive` the file that it is made of during the request, `rejected` its rejected rows, `items` the objects of a bulk action. The others are exports. */
export type FileKind = (typeof FILE_KINDS)[number];

export type TransferFiles = ReturnType<typeof createTransferFiles>;

export function createTransferFiles(files: StoredFiles) {
  const nameOf = (id: string, kind: FileKind): string => `${id}.${kind}`;
  return {
    /** Writes an upload and returns its size once it is on disk. An interrupted upload leaves no file. */
    receive: (
      id: string,
      pieces: AsyncIterable<Uint8Array>,
      kind: 'body' | 'archive' = 'body',
    ): Promise<number> => files.receive(nameOf(id, kind), pieces),

    /** Reads up to `bytes`, fewer only at the end. Returns `null` if there is no file. */
    read: (id: string, kind: FileKind, offset: number, bytes: number): Promise<Uint8Array | null> =>
      files.readAt(nameOf(id, kind), offset, bytes),

    /**
     * Writes the bytes at `offset`, truncates the file after them, and resolves when they are on disk. Returns false if the file is
     * shorter than `offset`.
     */
    writeAt: (
      { id, kind, offset }: { id: string; kind: FileKind; offset: number },
      octets: Uint8Array,
    ): Promise<boolean> => files.writeAt(nameOf(id, kind), offset, octets),

    /** Returns `null` if there is no file. `end` is exclusive. */
    stream: (id: string, kind: FileKind, range: { start: number; end: number }): Promise<Readable | null> =>
      files.stream(nameOf(id, kind), range),

    async remove(id: string, kinds: readonly FileKind[] = FILE_KINDS): Promise<void> {
      for (const kind of kinds) await files.remove(nameOf(id, kind));
    },

    /** IDs of files that were last written before a time. */
    async idsBefore(at: number): Promise<string[]> {
      const names = await files.names(at);
      return [...new Set(names.map((name) => name.slice(0, name.indexOf('.'))))];
    },
  };
}

/** Deletes up to `limit` transfers that ended before a time, with their files. Returns how many. */
export async function forgetFinishedTransfers(
  { store, files }: Pick<ImportContext, 'store' | 'files'>,
  before: number,
  limit: number,
): Promise<number> {
  const ids = await store.transfers.transfersFinishedBefore(before, limit);
  // The files first, because a row without files is found again.
  for (const id of ids) await files.remove(id);
  if (ids.length > 0) await store.commit([remove(transfers, { where: { id: ids } })]);
  return ids.length;
}

/** Removes files from before a time that belong to nothing. */
export async function removeOrphanFiles(
  { store, files, otherFiles }: Pick<ImportContext, 'store' | 'files' | 'otherFiles'>,
  before: number,
): Promise<void> {
  const ids = await files.idsBefore(before);
  for (let i = 0; i < ids.length; i += ORPHAN_BATCH) {
    const some = ids.slice(i, i + ORPHAN_BATCH);
    const known = await store.transfers.transfersAmong(some);
    const others = await otherFiles.withFiles(some);
    for (const id of some) if (!known.has(id) && !others.has(id)) await files.remove(id);
  }
}
