// Files of an installation in the rows of a database server. They are split into parts of one size, and a transaction moves few
// of them. They bypass the committer, so that messages never wait for the bytes of a file.
import { Refusal } from '../../contract/refusal.js';
import type { Engine, Tx, Value } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';

/** Part size. Stored data depends on it, so it must never change. */
export const PART_BYTES = 256 * 1024;
/** Parts that one transaction deletes. */
const PARTS_AT_ONCE = 16;

const OF_FILE = 'FROM stored_files WHERE folder = ? AND name = ?';
const LAST = `SELECT part, LENGTH(octets) AS size ${OF_FILE} ORDER BY part DESC LIMIT 1`;
const WHOLE = `SELECT octets ${OF_FILE} ORDER BY part`;
const SLICE = `SELECT SUBSTR(octets, ?, ?) AS octets ${OF_FILE} AND part = ?`;
const NAMES = `SELECT name FROM stored_files WHERE folder = ? GROUP BY name HAVING MAX(updated_at) < ? ORDER BY name`;
const INSERT = 'INSERT INTO stored_files (folder, name, part, octets, updated_at) VALUES (?, ?, ?, ?, ?)';
const PUT = `${INSERT} ON CONFLICT (folder, name, part) DO UPDATE SET octets = excluded.octets, updated_at = excluded.updated_at`;
const CREATE = `${INSERT} ON CONFLICT (folder, name, part) DO NOTHING RETURNING part`;
const CUT = `DELETE ${OF_FILE} AND part >= ?`;

export interface FileId {
  folder: string;
  name: string;
}

/** The last part of a file. */
interface LastPart {
  part: number;
  size: number;
}

interface Slice {
  octets: Uint8Array | null;
}

/** Bytes to write, and the time. */
interface FileContent {
  octets: Uint8Array;
  at: number;
}

export type FileStore = ReturnType<typeof createFileStore>;
export type FileReadStore = ReturnType<typeof createFileReads>;

export function createFileReads(engine: Engine) {
  return {
    /** Returns `null` if the file does not exist. */
    async size({ folder, name }: FileId): Promise<number | null> {
      return sizeOf((await rowsAs<LastPart>(engine.rows(LAST, [folder, name])))[0]);
    },

    /** Returns `null` if the file does not exist. */
    async whole({ folder, name }: FileId): Promise<Uint8Array | null> {
      const rows = await rowsAs<Slice>(engine.rows(WHOLE, [folder, name]));
      return rows.length === 0 ? null : Buffer.concat(rows.map(bytesOf));
    },

    /** Returns up to `bytes` bytes from an offset, not beyond the end of its part. `null` if the part does not exist. */
    async slice({ folder, name }: FileId, offset: number, bytes: number): Promise<Uint8Array | null> {
      const { part, from } = placeOf(offset);
      const [row] = await rowsAs<Slice>(engine.rows(SLICE, [from + 1, bytes, folder, name, part]));
      return row === undefined ? null : bytesOf(row);
    },

    /** Returns the files that were last written before a time. */
    async names(folder: string, before: number): Promise<string[]> {
      const rows = await rowsAs<{ name: string }>(engine.rows(NAMES, [folder, before]));
      return rows.map(({ name }) => name);
    },
  };
}

export function createFileStore(engine: Engine) {
  async function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await engine.transaction(work);
    } catch (error) {
      if (!engine.isUnavailable(error)) throw error;
      throw new Refusal('unavailable', 'The database cannot store the file right now. Try again.', {
        details: { reason: error instanceof Error ? error.message : String(error) },
      });
    }
  }

  return {
    ...createFileReads(engine),

    /** Replaces the file. If several callers do so at the same time, the last one wins. */
    replace: (file: FileId, { octets, at }: FileContent): Promise<void> =>
      write(async (tx) => {
        const parts = inParts(octets);
        // Others wait for the first row, so that the parts of two writers never mix.
        for (const [part, some] of parts.entries()) await tx.run(PUT, rowValues(file, part, some, at));
        await tx.run(CUT, [file.folder, file.name, parts.length]);
      }),

    /** Returns false if the file already existed. */
    create: (file: FileId, { octets, at }: FileContent): Promise<boolean> =>
      write(async (tx) => {
        const [first = new Uint8Array(), ...others] = inParts(octets);
        const made = await tx.run(CREATE, rowValues(file, 0, first, at));
        if (made.length === 0) return false;
        for (const [index, some] of others.entries()) await tx.run(PUT, rowValues(file, index + 1, some, at));
        return true;
      }),

    /**
     * Truncates the file at `offset` and appends the bytes, which must not reach into the next part. Returns false if the file is
     * shorter than `offset`.
     */
    putAt: (file: FileId, offset: number, { octets, at }: FileContent): Promise<boolean> =>
      write(async (tx) => {
        const { part, from } = placeOf(offset);
        if (from + octets.length > PART_BYTES) throw new Error('The octets reach into the next part.');
        const size = sizeOf((await rowsAs<LastPart>(tx.run(LAST, [file.folder, file.name])))[0]);
        if ((size ?? 0) < offset) return false;
        const slice = [1, from, file.folder, file.name, part];
        const [before] = from === 0 ? [] : await rowsAs<Slice>(tx.run(SLICE, slice));
        const whole = before === undefined ? octets : Buffer.concat([bytesOf(before), octets]);
        await tx.run(PUT, rowValues(file, part, whole, at));
        if ((size ?? 0) > (part + 1) * PART_BYTES) await tx.run(CUT, [file.folder, file.name, part + 1]);
        return true;
      }),

    /** Deletes from the end, so that the remainder is always the beginning of the file. */
    async remove({ folder, name }: FileId): Promise<void> {
      const [last] = await rowsAs<LastPart>(engine.rows(LAST, [folder, name]));
      for (let end = last?.part ?? -1; end >= 0; end -= PARTS_AT_ONCE) {
        const from = Math.max(0, end - PARTS_AT_ONCE + 1);
        await write(async (tx) => tx.run(CUT, [folder, name, from]));
      }
    },
  };
}

function rowValues({ folder, name }: FileId, part: number, octets: Uint8Array, at: number): Value[] {
  return [folder, name, part, octets, at];
}

function placeOf(offset: number): { part: number; from: number } {
  return { part: Math.floor(offset / PART_BYTES), from: offset % PART_BYTES };
}

/** Returns at least one part, because an empty file is an empty part. */
function inParts(octets: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let from = 0; from === 0 || from < octets.length; from += PART_BYTES) {
    parts.push(octets.subarray(from, from + PART_BYTES));
  }
  return parts;
}

function sizeOf(last: LastPart | undefined): number | null {
  return last === undefined ? null : last.part * PART_BYTES + last.size;
}

function bytesOf({ octets }: Slice): Uint8Array {
  // SQLite returns NULL for an empty slice; the column has no NULL.
  return octets ?? new Uint8Array();
}
