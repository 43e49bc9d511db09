// Messages between a thread that works on a whole database file and whoever asked for it.

export type FileJob =
  | { kind: 'copy'; from: string; to: string }
  | { kind: 'check'; file: string; isFull: boolean }
  | { kind: 'measure'; file: string };

/** A copy that was made and checked. */
export interface CopiedFile {
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/** A table with its indexes. */
export interface TableSize {
  name: string;
  bytes: number;
}

export type FileAnswer =
  | { kind: 'copied'; copied: CopiedFile }
  | { kind: 'checked'; problem: string | null }
  | { kind: 'measured'; tables: TableSize[] }
  /** `code` of the system's or SQLite's error; null for another one. */
  | { kind: 'error'; code: string | null; message: string };
