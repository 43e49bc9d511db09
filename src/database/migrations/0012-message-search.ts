// Index of the full-text search of threads, and the threads whose messages it lacks: at first, all of them.
import type { Spelling } from '../engine/engine.js';

export const messageSearchSchema = (t: Spelling): string[] => [
  ...t.messageSearch.create,
  `ALTER TABLE threads ADD COLUMN search_due ${t.int} NOT NULL DEFAULT 1`,
  `CREATE INDEX threads_search_due ON threads (last_message_at) WHERE search_due = 1`,
];
