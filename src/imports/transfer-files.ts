// The files of imports, exports and bulk actions: on disk before the database speaks of them.
import type { Readable } from 'node:stream';
import { EXPORT_KINDS } from './export.schema.js';
import type { StoredFiles } from '../lib/runtime/stored-files.js';

const FILE_KINDS = ['body', 'rejected', 'items', ...EXPORT_KINDS] as const;
/** `body`: what was uploaded. `rejected`: its refused rows. `items`: what a bulk action is for. The others: what was exported. */
export type FileKind = (typeof FILE_KINDS)[number];

export type TransferFiles = ReturnType<typeof createTransferFiles>;

export function createTransferFiles(files: StoredFiles) {
  const nameOf = (id: string, kind: FileKind): string => `${id}.${kind}`;
  return {
    /** Writes what arrives; its size, once it is on disk. Whatever ends it early leaves no file. */
    receive: (id: string, pieces: AsyncIterable<Uint8Array>): Promise<number> =>
      files.receive(nameOf(id, 'body'), pieces),

    /** Up to `bytes` from there on; fewer only at the end. Null when there is no file. */
    read: (id: string, kind: FileKind, offset: number, bytes: number): Promise<Uint8Array | null> =>
      files.readAt(nameOf(id, kind), offset, bytes),

    /**
     * Puts the octets at `offset`, which ends the file; on disk when it resolves. Octets there before were never reported. False
     * when what comes before is not there.
     */
    writeAt: (
      { id, kind, offset }: { id: string; kind: FileKind; offset: number },
      octets: Uint8Array,
    ): Promise<boolean> => files.writeAt(nameOf(id, kind), offset, octets),

    /** Null when there is no file. `end` is exclusive. */
    stream: (id: string, kind: FileKind, range: { start: number; end: number }): Promise<Readable | null> =>
      files.stream(nameOf(id, kind), range),

    async remove(id: string, kinds: readonly FileKind[] = FILE_KINDS): Promise<void> {
      for (const kind of kinds) await files.remove(nameOf(id, kind));
    },

    /** Ids that have files which were last written before that moment. */
    async idsBefore(at: number): Promise<string[]> {
      const names = await files.names(at);
      return [...new Set(names.map((name) => name.slice(0, name.indexOf('.'))))];
    },
  };
}
