// Tables and indexes of src/nodes.
import type { Spelling } from '../../engine/engine.js';

export const nodesSchema = (t: Spelling): string[] => [
  `CREATE TABLE nodes (
    id TEXT PRIMARY KEY, lock_number ${t.int} NOT NULL, host TEXT NOT NULL, version TEXT NOT NULL,
    roles TEXT NOT NULL, sources TEXT NOT NULL, is_leaving ${t.int} NOT NULL, commits ${t.int} NOT NULL,
    started_at ${t.int} NOT NULL, seen_at ${t.int} NOT NULL)`,

  `CREATE TABLE node_leases (
    name TEXT PRIMARY KEY, node_id TEXT, generation ${t.int} NOT NULL, since ${t.int} NOT NULL)`,
];
