// Tables and indexes of src/share-links.
import type { Spelling } from '../../engine/engine.js';

export const shareLinksSchema = (t: Spelling): string[] => [
  `CREATE TABLE share_links (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT, target TEXT NOT NULL,
    target_id TEXT NOT NULL, include_content ${t.int} NOT NULL, created_at ${t.int} NOT NULL,
    expires_at ${t.int} NOT NULL, revoked_at ${t.int})`,
  `CREATE INDEX share_links_by_environment ON share_links (environment_id, id)`,
  `CREATE INDEX share_links_by_target ON share_links (environment_id, target_id, id)`,
  `CREATE INDEX share_links_by_end ON share_links (expires_at)`,
];
