// Tables of the archive of events: segments that were written, and those that are to be.
import { blob, instant, int, table, text } from '../../database/columns.js';

/** A segment whose file is there. Rows of its events may be deleted; triggers refuse it for all others. */
export const eventSegments = table('event_segments', {
  /** Of its first and last event. */
  first_position: int(),
  last_position: int(),
  /** Hash of its last event. */
  last_hash: blob(),
  /** Among the files of the installation, in the folder archive. */
  file: text(),
  size_bytes: int(),
  /** Of the file; lower-case hex. */
  sha256: text(),
  created_at: instant(),
});

/** A stretch of a chain with events of messages that retention has deleted since. */
export const archiveMarks = table('archive_marks', {
  workspace_number: int(),
  /** Counts the segments of a chain from 0. */
  segment: int(),
});
