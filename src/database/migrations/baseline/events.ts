// Tables and indexes of src/events.
import type { Spelling } from '../../engine/engine.js';

/** True if an archived segment holds the event (OLD), so its row may be deleted. */
const IS_ARCHIVED = `COALESCE((SELECT s.last_position FROM event_segments s WHERE s.first_position <= OLD.position
  ORDER BY s.first_position DESC LIMIT 1), 0) >= OLD.position`;

export const eventsSchema = (t: Spelling): string[] => [
  `CREATE TABLE events (
    position ${t.intKey}, environment_id ${t.int} NOT NULL, message_id ${t.int}, subject_id TEXT NOT NULL,
    event TEXT NOT NULL, actor TEXT NOT NULL, occurred_at ${t.int} NOT NULL, detail TEXT, salt ${t.blob},
    detail_digest ${t.blob}, hash ${t.blob} NOT NULL, sub_tenant_id TEXT)`,
  `CREATE INDEX events_by_message ON events (message_id, position) WHERE message_id IS NOT NULL`,
  `CREATE INDEX events_by_subject ON events (subject_id, position) WHERE message_id IS NULL`,

  `CREATE TABLE chains (
    workspace_number ${t.intKey}, head_seq ${t.int} NOT NULL, head_hash ${t.blob} NOT NULL,
    fanned_out_seq ${t.int} NOT NULL)`,

  `CREATE TABLE consumers (
    name TEXT NOT NULL, workspace_number ${t.int} NOT NULL, seq ${t.int} NOT NULL,
    PRIMARY KEY (name, workspace_number))`,

  `CREATE TABLE event_segments (
    first_position ${t.intKey}, last_position ${t.int} NOT NULL, last_hash ${t.blob} NOT NULL, file TEXT NOT NULL,
    size_bytes ${t.int} NOT NULL, sha256 TEXT NOT NULL, created_at ${t.int} NOT NULL)`,

  `CREATE TABLE archive_marks (
    workspace_number ${t.int} NOT NULL, segment ${t.int} NOT NULL, PRIMARY KEY (workspace_number, segment))`,

  ...t.appendOnly('events', {
    fixed: [
      ...['position', 'environment_id', 'message_id', 'subject_id', 'sub_tenant_id', 'event', 'actor'],
      ...['occurred_at', 'detail_digest', 'hash'],
    ],
    erasable: ['detail', 'salt'],
    deletableIf: IS_ARCHIVED,
  }),
];
