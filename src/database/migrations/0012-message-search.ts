// Index of the full-text search of threads, the threads whose messages it lacks (at first, all of them), and approvals by API key.
import type { Spelling } from '../engine/engine.js';

export const messageSearchSchema = (t: Spelling): string[] => [
  ...t.messageSearch.create,
  `ALTER TABLE threads ADD COLUMN search_due ${t.int} NOT NULL DEFAULT 1`,
  `CREATE INDEX threads_search_due ON threads (last_message_at) WHERE search_due = 1`,
  'CREATE INDEX approvals_by_key ON approvals (api_key_id, id)',
];
