// Tables and indexes of src/http.
import type { Spelling } from '../../engine/engine.js';

export const apiSchema = (t: Spelling): string[] => [
  `CREATE TABLE idempotent_requests (
    place TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, fingerprint ${t.blob} NOT NULL, made_id TEXT,
    status ${t.int}, answer TEXT, created_at ${t.int} NOT NULL, PRIMARY KEY (place, key))`,
  `CREATE INDEX idempotent_requests_old ON idempotent_requests (created_at)`,
];
