// Tables and indexes of src/templates.
import type { Spelling } from '../../engine/engine.js';

export const templatesSchema = (t: Spelling): string[] => [
  `CREATE TABLE templates (
    id TEXT PRIMARY KEY, sub_tenant_id TEXT, slug TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
    version ${t.int} NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, deleted_at ${t.int},
    environment_id ${t.int} NOT NULL DEFAULT 0)`,
  `CREATE UNIQUE INDEX templates_live_slug ON templates (environment_id, COALESCE(sub_tenant_id, ''), slug)
    WHERE deleted_at IS NULL`,
  `CREATE INDEX templates_by_environment ON templates (environment_id, id)`,

  `CREATE TABLE template_versions (
    template_id TEXT NOT NULL REFERENCES templates (id), version ${t.int} NOT NULL, subject TEXT, html TEXT,
    text TEXT, created_at ${t.int} NOT NULL, inline_css ${t.int} NOT NULL DEFAULT 0, design TEXT,
    PRIMARY KEY (template_id, version))`,

  `CREATE TABLE saved_blocks (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT, name TEXT NOT NULL,
    block TEXT NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,
  `CREATE INDEX saved_blocks_by_environment ON saved_blocks (environment_id, id)`,
  `CREATE INDEX saved_blocks_by_sub_tenant ON saved_blocks (sub_tenant_id) WHERE sub_tenant_id IS NOT NULL`,
];
