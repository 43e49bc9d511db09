// Messages between a thread that works on a whole database file and whoever asked for it.

export type FileJob = { kind: 'copy'; from: string; to: string } | { kind: 'check'; file: string };

/** A copy that was made and checked. */
export interface CopiedFile {
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

export type FileAnswer =
  | { kind: 'copied'; copied: CopiedFile }
  | { kind: 'checked'; problem: string | null }
  /** `code` of the system's or SQLite's error; null for another one. */
  | { kind: 'error'; code: string | null; message: string };
