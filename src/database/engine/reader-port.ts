// Messages between the main thread and a reader thread.
import type { Value } from './engine.js';

export interface ReaderData {
  file: string;
  busyTimeoutMs: number;
}

export interface ReadJob {
  statement: string;
  values: readonly Value[];
}

export type ReadAnswer =
  | { kind: 'rows'; columns: string[]; rows: unknown[][] }
  /** `code` is an SQLite error code; null for other errors. */
  | { kind: 'error'; code: string | null; message: string };
