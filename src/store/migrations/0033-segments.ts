// The archive of events: segments in files, and the rows that they free may be deleted.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

/** Whether a segment holds the event; the nearest one before it is looked at. */
const IS_ARCHIVED = `COALESCE((SELECT s.last_position FROM event_segments s WHERE s.first_position <= OLD.position
  ORDER BY s.first_position DESC LIMIT 1), 0) >= OLD.position`;

const CHANGES = (t: Spelling): string[] => [
  `CREATE TABLE event_segments (
    first_position ${t.int} PRIMARY KEY, last_position ${t.int} NOT NULL, last_hash ${t.blob} NOT NULL, file TEXT NOT NULL,
    size_bytes ${t.int} NOT NULL, sha256 TEXT NOT NULL, created_at ${t.int} NOT NULL)`,
  `CREATE TABLE archive_marks (
    workspace_number ${t.int} NOT NULL, segment ${t.int} NOT NULL, PRIMARY KEY (workspace_number, segment))`,
  ...t.deletableWhere('events', IS_ARCHIVED),
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of CHANGES(spelling)) await sql.raw(statement).execute(db);
}
