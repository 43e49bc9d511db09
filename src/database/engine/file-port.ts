// Messages between the main thread and a thread that works on a whole database file.

export type FileJob =
  | { kind: 'copy'; from: string; to: string }
  | { kind: 'check'; file: string; isFull: boolean }
  | { kind: 'measure'; file: string };

/** A verified copy. */
export interface CopiedFile {
  sizeBytes: number;
  /** Lowercase hex. */
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
  /** `code` is that of the operating system or SQLite; null for other errors. */
  | { kind: 'error'; code: string | null; message: string };
