// Tables of the event archive: written segments, and marks of segments to write.
import { blob, instant, int, table, text } from '../../database/columns.js';

/** A segment whose file exists. Triggers allow deletion of its events' rows only. */
export const eventSegments = table('event_segments', {
  /** Positions of the first and last event. */
  first_position: int(),
  last_position: int(),
  /** Hash of the last event. */
  last_hash: blob(),
  /** Name of the file in the installation's folder archive. */
  file: text(),
  size_bytes: int(),
  /** SHA-256 of the file in lowercase hex. */
  sha256: text(),
  created_at: instant(),
});

/** A segment with events of messages that retention has deleted since. */
export const archiveMarks = table('archive_marks', {
  workspace_number: int(),
  /** Number of the segment in its chain, counted from 0. */
  segment: int(),
});
