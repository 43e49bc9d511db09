// Tables and indexes of src/pages.
import type { Spelling } from '../../engine/engine.js';

export const pagesSchema = (t: Spelling): string[] => [
  `CREATE TABLE brandings (
    owner_id TEXT PRIMARY KEY, name TEXT, color TEXT, website_url TEXT, postal_address TEXT, language TEXT,
    logo_id TEXT, updated_at ${t.int} NOT NULL, privacy_url text)`,

  `CREATE TABLE logos (
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, type TEXT NOT NULL, content ${t.blob} NOT NULL,
    created_at ${t.int} NOT NULL)`,
  `CREATE INDEX logos_by_owner ON logos (owner_id)`,
];
