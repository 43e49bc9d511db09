// Messages between the main thread and the thread that writes the log back. Each pass is asked for by a message without content.

export interface WriteBackData {
  /** The database file. */
  file: string;
}

/** Frames of the log that are not in the database file yet; null if the pass failed. */
export type FramesLeft = number | null;
